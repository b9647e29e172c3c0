import { describe, expect, test } from 'vitest'
import { contextOf, count, eventually, read } from './reader.ts'
import type { ChannelWorld } from './world.ts'

/** Reading a log from any cursor, every event once. */
export function streamCases(use: () => ChannelWorld): void {
  const cursorNow = async (sessionId: string) => {
    const { body } = await use().transport('ada').snapshot(contextOf(sessionId))
    return (body as { cursor: string }).cursor
  }

  describe('streams', () => {
    test('[HP-CUR-5] a reader receives every event once and in order, from the beginning or from any cursor', async () => {
      const world = use()
      const cursors = []
      for (const text of count(1, 5)) {
        await world.emit('s1', 'ada', text)
        cursors.push(await cursorNow('s1'))
      }
      const readers = [null, ...cursors].map((cursor) => read(world.transport('ada'), 's1', cursor))
      await eventually(() => expect(world.streams).toBeGreaterThanOrEqual(1))
      await world.emit('s1', 'ada', ...count(6, 40))
      for (const [index, reader] of readers.entries()) {
        await eventually(() => expect(reader.texts).toEqual(count(index + 1, 40)))
        reader.close()
      }
    })

    test('an event between snapshot and subscription, or between the reads of a start, arrives once [R1.1]', async () => {
      const world = use()
      await world.emit('s1', 'ada', ...count(1, 2))
      const cursor = await cursorNow('s1')
      await world.emit('s1', 'ada', 't3')
      let next = 4
      world.beforeReadsAnswer(async () => {
        if (next <= 12) await world.emit('s1', 'ada', `t${next++}`)
      })
      const reader = read(world.transport('ada'), 's1', cursor)
      await eventually(() => expect(reader.texts.length).toBeGreaterThanOrEqual(5))
      world.beforeReadsAnswer(async () => {})
      const last = next
      await world.emit('s1', 'ada', `t${last}`)
      await eventually(() => expect(reader.texts.at(-1)).toBe(`t${last}`))
      expect(reader.texts).toEqual(count(3, last))
      reader.close()
    })

    test('a reader that reconnects at every position during writes sees no gap and no duplicate', async () => {
      const world = use()
      await world.emit('s1', 'ada', 't1')
      const texts: string[] = []
      let cursor: string | null = null
      let written = 1
      while (texts.length < 60) {
        const reader = read(world.transport('ada'), 's1', cursor)
        if (written < 60) await world.emit('s1', 'ada', `t${++written}`)
        if (written < 60 && written % 3 === 0) await world.emit('s1', 'ada', `t${++written}`)
        await reader.has(1)
        reader.close()
        texts.push(...reader.texts)
        cursor = reader.cursor
      }
      expect(texts).toEqual(count(1, 60))
    })

    test('[HP-RST-1] [HP-RST-2] [HP-RST-3] [HP-RST-4] [HP-RST-5] [HP-RST-6] [HP-BAD-1] an old or wrong cursor gets a reset with its reason [R2.2]', async () => {
      const world = use()
      await world.emit('s1', 'ada', ...count(1, 9))
      const [epoch = ''] = (await cursorNow('s1')).split('.')
      const reset = async (cursor: string | null) => {
        const reader = read(world.transport('ada'), 's1', cursor)
        await reader.over()
        await world.emit('s1', 'ada', 'after')
        await new Promise((resolve) => setTimeout(resolve, 20))
        reader.close()
        expect(reader.texts).toEqual([])
        return reader.resets
      }
      expect(await reset('elsewhere.3.abc')).toEqual(['epoch'])
      expect(await reset(`${epoch}.999.abc`)).toEqual(['ahead'])
      expect(await reset(`${epoch}.3.zzzz`)).toEqual(['forked'])
      expect(await reset('rubbish')).toEqual(['invalid'])
      await world.trim('s1', 8)
      expect(await reset(`${epoch}.3.abc`)).toEqual(['trimmed'])
      expect(await reset(null)).toEqual(['trimmed'])
    })

    test('a log that is replaced under an open stream resets the stream', async () => {
      const world = use()
      await world.emit('s1', 'ada', 't1')
      const reader = read(world.transport('ada'), 's1')
      await reader.has(1)
      await world.replaceLog('s1', 'ada', 'other')
      await eventually(() => expect(reader.resets).toEqual(['epoch']))
      reader.close()
    })

    test('a large event with unusual characters arrives unchanged', async () => {
      const world = use()
      const strange = [
        '"\\\n\r\u2028\u0000\u001f',
        'id: 1\ndata: {}\n\n',
        'grün 漢 🎈',
        'x'.repeat(200_000),
        '</script>',
      ]
      await world.emit('s1', 'ada', ...strange)
      const reader = read(world.transport('ada'), 's1')
      await eventually(() => expect(reader.texts).toEqual(strange))
      reader.close()
    })

    test('a reader that disconnects leaves no state', async () => {
      const world = use()
      await world.emit('s1', 'ada', 't1')
      for (let round = 0; round < 20; round++) {
        const reader = read(world.transport('ada'), 's1')
        if (round % 2) await reader.has(1)
        reader.close()
      }
      await eventually(() => expect(world.streams).toBe(0))
    })
  })

  describe('streams that end', () => {
    test('[HP-SEC-7] revoke ends the streams of one user and of no other user [T4.1]', async () => {
      const world = use()
      await world.emit('s1', 'ada', 't1')
      await world.emit('s2', 'eve', 't1')
      const ada = read(world.transport('ada'), 's1')
      const eve = read(world.transport('eve'), 's2')
      await ada.has(1)
      await eve.has(1)
      await eventually(() => expect(world.streams).toBe(2))
      world.revoke('ada')
      await ada.over()
      expect(['ended', 'unauthorized']).toContain(ada.failure?.code)
      await world.emit('s2', 'eve', 't2')
      await eve.has(2)
      expect(eve.failure).toBe(undefined)
      eve.close()
    })
  })

  describe('readers that do not read', () => {
    test('readers that stall are disconnected at the limit while all others continue, and resume without a gap [R7.1]', async (context) => {
      const world = use()
      if (!world.stall) return context.skip('this channel does not report how much its reader has received')
      await world.emit('s1', 'ada', 'start')
      const stalled = await world.stall('ada', 's1')
      const quick = read(world.transport('ada'), 's1')
      await quick.has(1)
      await eventually(() => expect(world.streams).toBe(2))
      const long = 'x'.repeat(100_000)
      let sent = 0
      while (world.streams === 2 && sent < 500) {
        await world.emit('s1', 'ada', `${++sent} ${long}`)
        await quick.has(sent + 1)
      }
      expect(world.streams).toBe(1)
      stalled.close()
      quick.close()
      const again = read(world.transport('ada'), 's1')
      await eventually(() => expect(again.texts).toHaveLength(sent + 1))
      const numbers = again.texts.slice(1).map((text) => Number.parseInt(text, 10))
      expect(numbers).toEqual(Array.from({ length: sent }, (_, index) => index + 1))
      again.close()
    })
  })
}
