import { describe, expect, test } from 'vitest'
import { answer } from './conversations.ts'
import { contextOf, eventually, type Reader, read, say } from './reader.ts'
import type { Answered, ChannelTraits, ChannelWorld } from './world.ts'

const codeOf = ({ status, body }: Answered) => [status, (body as { error?: { code?: string } }).error?.code]

/** Unauthorized and invalid requests: each has its status and code, and nothing is lost. */
export function refusalCases(traits: ChannelTraits, use: () => ChannelWorld): void {
  describe('unauthorized requests', () => {
    test('[HP-SEC-1] every request without a login is rejected', async (context) => {
      if (!traits.credentials) context.skip('the principal of this channel was fixed when the channel was made')
      const world = use()
      await world.emit('s1', 'ada', 't1')
      const nobody = world.transport(null)
      expect(codeOf(await nobody.snapshot(contextOf('s1')))).toEqual([401, 'not_authenticated'])
      const reader = read(nobody, 's1')
      await reader.over()
      expect([reader.failure?.code, reader.texts]).toEqual(['unauthorized', []])
    })

    test('[HP-SEC-2] the session of another user looks like a session that does not exist [T1.1]', async () => {
      const world = use()
      const hers = await world.ask('hers', 'eve')
      const ada = world.transport('ada')
      const [snapshots, refusals] = [new Set<string>(), new Set<string>()]
      for (const sessionId of ['hers', 'nobodys']) {
        const snapshot = JSON.stringify(await ada.snapshot(contextOf(sessionId)))
        snapshots.add(snapshot.replace(/"serverTime":"[^"]*"/, '"serverTime":""'))
        refusals.add(JSON.stringify(await say(ada, sessionId, { type: 'hello', clientId: 'tab-1' })))
      }
      expect([...snapshots]).toEqual([expect.stringContaining('"cursor":"0.0.0"')])
      expect([...refusals]).toEqual([expect.stringContaining('"not_found"')])
      const readers: Reader[] = []
      for (const sessionId of ['hers', 'nobodys']) {
        const reader = read(world.transport('ada'), sessionId)
        await eventually(() => expect(reader.opened).toBe(true))
        readers.push(reader)
      }
      await world.emit('hers', 'eve', 'her words')
      await world.emit('nobodys', 'bob', 'his words')
      await new Promise((resolve) => setTimeout(resolve, 50))
      for (const { types, failure, resets } of readers) expect([types, failure, resets]).toEqual([[], undefined, []])
      for (const reader of readers) reader.close()
      const forged = [await say(ada, 'hers', answer(hers)), await say(ada, 'nobodys', answer(hers))]
      for (const result of forged) expect(result.status).toBe(404)
      expect(JSON.stringify(forged)).not.toContain('eve')
      await say(world.transport('eve'), 'hers', { ...answer(hers), action: 'deny' })
      expect(await hers.outcome).toMatchObject({ approved: false })
    })

    test('[HP-SEC-12] a session that does not exist yet is an empty stream, and its first events arrive on it', async () => {
      const world = use()
      const reader = read(world.transport('ada'), 'fresh')
      await eventually(() => expect(reader.opened).toBe(true))
      expect(reader.types).toEqual([])
      await world.emit('fresh', 'ada', 'first')
      await world.emit('fresh', 'ada', 'second')
      await reader.has(2)
      expect([reader.texts, reader.resets, reader.failure]).toEqual([['first', 'second'], [], undefined])
      reader.close()
    })

    test('[HP-SEC-9] a message in the user’s own session reaches no question of another session', async () => {
      const world = use()
      const hers = await world.ask('hers', 'eve')
      await world.emit('mine', 'ada', 't1')
      const opened = read(world.transport('ada'), 'mine')
      await opened.has(1)
      const sent = await world.sendRaw('ada', 'mine', JSON.stringify(answer(hers)))
      expect(codeOf(sent)).toEqual([404, 'unknown_interaction'])
      opened.close()
      await say(world.transport('eve'), 'hers', answer(hers))
      expect(await hers.outcome).toMatchObject({ approved: true })
    })

    test('[HP-SEC-6] the inbox contains only the user’s own questions [T2.1]', async () => {
      const world = use()
      const hers = await world.ask('hers', 'eve')
      const mine = await world.ask('mine', 'ada')
      const inbox = async (user: string) =>
        JSON.stringify(await world.transport(user).inbox?.(contextOf('mine'), undefined))
      const [ada, eve] = [await inbox('ada'), await inbox('eve')]
      expect([ada.includes(mine.interactionId), ada.includes(hers.interactionId)]).toEqual([true, false])
      expect([eve.includes(mine.interactionId), eve.includes(hers.interactionId)]).toEqual([false, true])
      for (const [user, session, asked] of [
        ['ada', 'mine', mine],
        ['eve', 'hers', hers],
      ] as const) {
        await say(world.transport(user), session, answer(asked))
        await asked.outcome
      }
    })

    test('a user who signs out loses the stream at the next authorization check', async (context) => {
      if (!traits.credentials) context.skip('the principal of this channel was fixed when the channel was made')
      const world = await traits.make({ reauthorizeMs: 200, heartbeatMs: 50 })
      try {
        await world.emit('s1', 'ada', 't1')
        const reader = read(world.transport('ada'), 's1')
        await reader.has(1)
        world.logOut('ada')
        await reader.over()
        await world.emit('s1', 'ada', 't2')
        expect(reader.texts).toEqual(['t1'])
        await eventually(() => expect(world.streams).toBe(0))
      } finally {
        await world.stop()
      }
    })
  })

  describe('bad input', () => {
    test('[HP-BAD-1] [HP-FRM-4] [HP-ANS-4] [HP-ANS-6] each bad input is rejected with its code, and the question stays open', async () => {
      const world = use()
      const asked = await world.ask('s1', 'ada')
      const opened = read(world.transport('ada'), 's1')
      await opened.has(1)
      const good = answer(asked)
      const said = (change: object) => JSON.stringify({ ...good, ...change })
      const rows: [what: string, message: string | Uint8Array, status: number, code: string][] = [
        ['not JSON', '{"type":', 400, 'invalid_json'],
        ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 400, 'invalid_utf8'],
        ['too deep', `${'['.repeat(100)}${']'.repeat(100)}`, 400, 'too_deep'],
        ['__proto__', '{"type":"hello","clientId":"c","__proto__":{"a":1}}', 400, 'forbidden_key'],
        ['no object', '7', 400, 'invalid_message'],
        ['unknown type', said({ type: 'format_disk' }), 400, 'unknown_message'],
        ['CR LF in an id', said({ interactionId: 'a\r\nb' }), 400, 'invalid_message'],
        ['an id of 300 characters', said({ answerId: 'a'.repeat(300) }), 400, 'invalid_message'],
        ['no answerId', said({ answerId: undefined }), 400, 'invalid_message'],
        ['oversize', said({ reason: 'x', more: 'y'.repeat(300_000) }), 413, 'too_large'],
        ['unknown question', said({ interactionId: 'nobody' }), 404, 'unknown_interaction'],
        ['wrong kind of action', said({ action: 'submit', input: {} }), 400, 'action_not_allowed'],
        ['scope not offered', said({ approvalScope: 'always' }), 400, 'scope_not_offered'],
      ]
      for (const [what, message, status, code] of rows) {
        expect([what, ...codeOf(await world.sendRaw('ada', 's1', message))]).toEqual([what, status, code])
      }
      expect(opened.failure).toBe(undefined)
      opened.close()
      expect(await say(world.transport('ada'), 's1', good)).toMatchObject({ status: 200 })
      expect(await asked.outcome).toMatchObject({ approved: true })
    })
  })
}
