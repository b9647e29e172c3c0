import { describe, expect, test } from 'vitest'
import { context, listen, settle } from './recorder.ts'
import { cursorOf, entry, type PeerTraits, type ScriptedPeer } from './script.ts'

const silent = (log: readonly string[]) => log.filter((line) => line !== 'alive')

/** Streams that work and streams that end. */
export function streamCases({ framewise }: PeerTraits, use: () => ScriptedPeer) {
  describe('a stream', () => {
    test('a stream opens and passes events in order, each with its cursor', async () => {
      const [a, b] = [entry(1), entry(2)]
      use().play({ frames: [a, b] })
      const heard = listen(use())
      await heard.heard(b.event.text)
      expect(silent(heard.log)).toEqual(['open', a.event.text, b.event.text])
      expect(heard.placed).toEqual([
        { cursor: cursorOf(a), event: a.event },
        { cursor: cursorOf(b), event: b.event },
      ])
    })

    test('a stream names its session, its client and the cursor to resume after', async () => {
      const listening = listen(use(), 'e1.7.t')
      await listening.heard('open')
      expect(use().connections).toMatchObject([{ sessionId: context.sessionId, clientId: 'tab-1', cursor: 'e1.7.t' }])
      listen(use())
      await settle()
      expect(use().connections.map(({ cursor }) => cursor)).toEqual(['e1.7.t', null])
    })

    test('HP-EVT-3 unknown types and fields arrive unchanged', async () => {
      const event = { type: 'data-weather', x: [1, { y: null }], text: 'sunny' }
      use().play({ frames: [{ seq: 1, event }] })
      const heard = listen(use())
      await heard.heard('sunny')
      expect(heard.placed[0]?.event).toEqual(event)
    })

    test('duplicates and disorder are passed unchanged, because the client handles order', async () => {
      const order = [2, 1, 1, 3].map((seq) => entry(seq))
      use().play({ frames: order })
      const heard = listen(use())
      await heard.heard(entry(3).event.text)
      expect(heard.placed.map(({ cursor }) => cursor)).toEqual(order.map(cursorOf))
    })

    test('a heartbeat counts as activity', async () => {
      use().play({ frames: [entry(1), { heartbeat: true }, entry(2)] })
      const heard = listen(use())
      await heard.heard(entry(2).event.text)
      expect(heard.log).toContain('alive')
    })

    test.each(['epoch', 'trimmed', 'ahead', 'forked', 'invalid'])('a reset: %s', async (reason) => {
      use().play({ frames: [{ reset: reason }] })
      const heard = listen(use())
      await heard.heard('reset')
      expect(silent(heard.log).slice(0, 2)).toEqual(['open', `reset ${reason}`])
    })

    test('an end is reported once', async () => {
      use().play({ frames: [entry(1)], ending: 'end' })
      const heard = listen(use())
      await heard.heard('down')
      await settle()
      expect(silent(heard.log)).toEqual(['open', entry(1).event.text, expect.stringMatching(/^down (ended|network)$/)])
    })

    test('HP-EVT-2 a malformed event does not affect the events around it', async () => {
      const bad = { seq: 2, event: { type: 'run_status', timestamp: 'now', sessionId: 's' } }
      use().play({ frames: [entry(1), bad, entry(3)] })
      const heard = listen(use())
      await heard.heard(entry(3).event.text)
      expect(silent(heard.log).sort()).toEqual(
        ['open', entry(1).event.text, 'malformed malformed_event', entry(3).event.text].sort(),
      )
    })

    if (framewise) {
      test('HP-FRM-1 garbage between frames is reported and does not affect other frames', async () => {
        const garbage = [
          '{"cursor":',
          `${'['.repeat(80)}${']'.repeat(80)}`,
          '{"__proto__":{"event":1}}',
          `"${'x'.repeat(1_100_000)}"`,
        ]
        use().play({ frames: [entry(1), ...garbage.map((text) => ({ garbage: text })), entry(2)] })
        const heard = listen(use())
        await heard.heard(entry(2).event.text)
        expect(silent(heard.log)).toEqual([
          'open',
          entry(1).event.text,
          'malformed invalid_json',
          'malformed too_deep',
          'malformed forbidden_key',
          'malformed too_large',
          entry(2).event.text,
        ])
      })
    }
  })

  describe('closing', () => {
    test('HP-CLI-7 a closed stream makes no callbacks, and the peer notices', async () => {
      use().play({ frames: [entry(1)] })
      const heard = listen(use())
      await heard.heard(entry(1).event.text)
      const before = [...heard.log]
      heard.close()
      heard.close()
      await expect.poll(() => use().connections[0]?.closed).toBe(true)
      await settle()
      expect(heard.log).toEqual(before)
    })

    test('HP-CLI-7 a stream that is closed before any response makes no callbacks', async () => {
      use().play({ hold: true })
      const heard = listen(use())
      await expect.poll(() => use().connections.length).toBe(1)
      heard.close()
      await settle()
      expect(heard.log).toEqual([])
      const atOnce = listen(use())
      atOnce.close()
      await settle()
      expect(atOnce.log).toEqual([])
    })

    test('HP-CLI-7 closing during a flood of events stops callbacks at once', async () => {
      use().play({ frames: Array.from({ length: 500 }, (_, i) => entry(i + 1)), chunk: 4_000 })
      const heard = listen(use())
      await heard.heard(entry(1).event.text)
      heard.close()
      const { length } = heard.log
      await settle()
      expect(heard.log).toHaveLength(length)
    })
  })
}
