import { describe, expect, test } from 'vitest'
import { listen, settle } from './recorder.ts'
import { type ConnectionScript, cursorOf, entry, type PeerTraits, type ScriptedPeer } from './script.ts'

const AT_ONCE = 16

/** Networks that fail, and servers that reject. */
export function faultCases({ credentials }: PeerTraits, use: () => ScriptedPeer, setBearer: (bearer: string) => void) {
  describe('a connection that breaks', () => {
    test('a connection that breaks before the first event, or before any response, ends the stream', async () => {
      use().play({ cutAfter: -1 }, { cutAfter: 0 })
      for (let i = 0; i < 2; i++) {
        const heard = listen(use())
        await heard.heard('down')
        expect(heard.failure?.code).toMatch(/^(network|ended)$/)
        expect(heard.placed).toEqual([])
      }
    })

    test('HP-SSE-5 a cut at each byte yields only whole events, and resuming loses and repeats none', async () => {
      const log = [entry(1, 'a ü'), entry(2, '漢🎈')]
      const rest = (cursor: string | null) => log.filter((one) => !cursor || one.seq > Number(cursor.split('.')[1]))
      const total = use().bytesOf?.({ frames: log }) ?? 0
      expect(total).toBeGreaterThan(0)
      const cuts = Array.from({ length: total + 1 }, (_, i) => i)
      for (let from = 0; from < cuts.length; from += AT_ONCE) {
        for (const cutAfter of cuts.slice(from, from + AT_ONCE)) {
          use().play({ frames: log, cutAfter }, { frames: rest })
          const first = listen(use())
          await first.heard('down')
          const known = first.placed.map(({ cursor }) => cursor)
          expect(known).toEqual(log.slice(0, known.length).map(cursorOf))
          const last = known.at(-1) ?? null
          const second = listen(use(), last)
          await second.heard((lines) => lines.includes('open') && second.placed.length === rest(last).length)
          expect([...first.placed, ...second.placed].map(({ event }) => event)).toEqual(log.map(({ event }) => event))
          second.close()
        }
      }
    })

    test('HP-SSE-5 events arrive byte by byte, with characters of several bytes', async () => {
      const log = [entry(1), entry(2)]
      use().play({ frames: log, chunk: 1 })
      const heard = listen(use())
      await heard.heard(entry(2).event.text)
      expect(heard.placed.map(({ event }) => event)).toEqual(log.map(({ event }) => event))
    })

    test('a half-open connection does not end the stream: the client decides and can reconnect', async () => {
      use().play({ frames: [entry(1)], ending: 'silence' }, { frames: [entry(2)] })
      const silent = listen(use())
      await silent.heard(entry(1).event.text)
      await settle()
      expect(silent.log.filter((line) => line.startsWith('down'))).toEqual([])
      silent.close()
      const again = listen(use(), cursorOf(entry(1)))
      await again.heard(entry(2).event.text)
      expect(silent.placed).toHaveLength(1)
    })
  })

  describe('a server that refuses', () => {
    const refusals: [ConnectionScript, string][] = [
      [{ status: 401 }, 'unauthorized'],
      [{ status: 403 }, 'forbidden'],
      [{ status: 404 }, 'not_found'],
      [{ status: 429, retryAfterSeconds: 7 }, 'rate_limited'],
      [{ status: 503, retryAfterSeconds: 1 }, 'server'],
    ]
    test.each(refusals)(
      'a rejection with %j is reported unchanged, with the time of the next try',
      async (script, code) => {
        use().play(script)
        const heard = listen(use())
        await heard.heard('down')
        expect(heard.failure).toMatchObject({ code })
        expect(heard.failure?.retryAfterMs).toBe(script.retryAfterSeconds ? script.retryAfterSeconds * 1000 : undefined)
        expect(heard.log).not.toContain('open')
      },
    )

    if (credentials) {
      test('HP-CLI-2 after a 401 the driver uses renewed credentials', async () => {
        setBearer('old')
        use().play({ status: 401 }, { frames: [entry(1)] })
        const refused = listen(use())
        await refused.heard('down unauthorized')
        setBearer('new/+=')
        const heard = listen(use())
        await heard.heard(entry(1).event.text)
        expect(use().connections.map(({ bearer }) => bearer)).toEqual(['old', 'new/+='])
      })
    }
  })
}
