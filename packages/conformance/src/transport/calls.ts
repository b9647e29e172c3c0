import type { ToolInteractionResponseMessage } from '@holdpoint/core/internal'
import { describe, expect, test } from 'vitest'
import { context, listen } from './recorder.ts'
import { accepted, emptySnapshot, type PeerTraits, type ScriptedPeer } from './script.ts'

const message: ToolInteractionResponseMessage = {
  type: 'tool_interaction_response',
  clientId: 'tab-1',
  callId: 'c-1',
  interactionId: 'i-1',
  answerId: 'a-1',
  action: 'approve',
  shownDigest: 'digest',
  reason: 'grün 🎈',
}

/** Messages and other calls, with and without a stream. */
export function callCases({ credentials }: PeerTraits, use: () => ScriptedPeer, setBearer: (bearer: string) => void) {
  describe.each(['without a stream', 'beside a stream'])('calls %s', (when) => {
    const start = async () => {
      if (when === 'beside a stream') await listen(use()).heard('open')
      return use().transport
    }

    test('a message arrives unchanged, and its response is returned', async () => {
      const transport = await start()
      expect(await transport.send(context, message)).toMatchObject(accepted)
      expect(use().calls.map(({ body }) => body)).toEqual([message])
    })

    test('a rejection is a result, with the time of the next try', async () => {
      const transport = await start()
      const settling = { status: 409, body: { error: { code: 'settling', message: 'Wait.', retryAfterMs: 2000 } } }
      const invalid = {
        status: 422,
        body: { error: { code: 'invalid_input', message: 'No.', fieldErrors: { a: ['b'] } } },
      }
      use().answer({ ...settling, retryAfterMs: 2000 }, invalid)
      expect(await transport.send(context, message)).toEqual({ ...settling, retryAfterMs: 2000 })
      expect(await transport.send(context, message)).toEqual(invalid)
    })

    test('responses are matched to their messages in any order', async () => {
      const transport = await start()
      const results = Array.from({ length: 20 }, (_, i) => ({ status: 200, body: { status: 'accepted', i } }))
      use().answer(...results)
      const answers = await Promise.all(
        results.map((_, i) => transport.send(context, { ...message, answerId: `a-${i}` })),
      )
      const sent = use().calls.map(({ body }) => (body as typeof message).answerId)
      expect(sent.map((id) => answers[Number(id.slice(2))]?.body)).toEqual(results.map(({ body }) => body))
    })

    test('aborting a call rejects it, and the transport stays usable', async () => {
      const transport = await start()
      use().answer('hold')
      const abort = new AbortController()
      const sending = transport.send(context, message, abort.signal)
      await expect.poll(() => use().calls.length).toBe(1)
      abort.abort(new Error('enough'))
      await expect(sending).rejects.toThrow()
      expect(await transport.send(context, message)).toMatchObject(accepted)
      await expect(transport.send(context, message, AbortSignal.abort())).rejects.toThrow()
    })

    test('a connection that breaks before the response rejects the call, because the result is unknown', async () => {
      const transport = await start()
      use().answer('destroy')
      await expect(transport.send(context, message)).rejects.toThrow()
    })

    test('the snapshot and single calls', async () => {
      const transport = await start()
      expect(await transport.snapshot(context)).toMatchObject({ status: 200, body: emptySnapshot })
      const body = { interactionId: 'i-1', integration: 'slack' }
      const path = `/sessions/${encodeURIComponent(context.sessionId)}/connect`
      expect(await transport.request(context, path, { method: 'POST', body })).toMatchObject({
        status: 200,
        body: { flowId: 'f-1' },
      })
      expect(await transport.inbox?.(context, 'p 2')).toMatchObject({ status: 200, body: { items: [] } })
      expect(use().calls).toMatchObject([
        { method: 'GET', path: path.replace('/connect', '') },
        { method: 'POST', path, body },
        { method: 'GET', path: expect.stringMatching(/^\/inbox\?next=p(%20|\+)2$/) },
      ])
    })

    if (credentials) {
      test('HP-CLI-2 a driver requests credentials for each call', async () => {
        const transport = await start()
        for (const bearer of ['one', 'two']) {
          setBearer(bearer)
          await transport.snapshot(context)
        }
        expect(use().calls.map(({ bearer }) => bearer)).toEqual(['one', 'two'])
      })
    }
  })
}
