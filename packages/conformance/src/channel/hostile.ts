import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../any-character.ts'
import { seedOr } from '../seeded.ts'
import { answer } from './conversations.ts'
import { eventually, read, say } from './reader.ts'
import type { Asked, ChannelWorld } from './world.ts'

const RUNS = 150

/** Every hostile input gets a named error, never a crash, and never data of another session. */
export function hostileCases(use: () => ChannelWorld): void {
  describe('hostile input', () => {
    test('[HP-HTTP-3] [HP-HTTP-4] every invalid message is rejected with a code and reveals nothing [R10.1]', async () => {
      const world = use()
      const hers = await world.ask('hers', 'eve')
      await world.emit('hers', 'eve', 'her secret words')
      await world.emit('mine', 'ada', 't1')
      const opened = read(world.transport('ada'), 'mine')
      await opened.has(1)
      await fc.assert(
        fc.asyncProperty(hostileMessage(hers), async (message) => {
          const { status, body } = await world.sendRaw('ada', 'mine', message)
          const text = JSON.stringify(body)
          expect(status).toBeGreaterThanOrEqual(200)
          expect(status).toBeLessThan(500)
          if (status >= 400)
            expect(body).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } })
          expect(text).not.toMatch(/her secret words|\beve\b|node_modules|\.ts:\d+/)
        }),
        { numRuns: RUNS, seed: seedOr(7) },
      )
      opened.close()
      // The server still works, and her session is unchanged.
      await world.emit('mine', 'ada', 't2')
      const after = read(world.transport('ada'), 'mine')
      await after.has(2)
      after.close()
      expect(await say(world.transport('eve'), 'hers', answer(hers))).toMatchObject({ status: 200 })
      expect(await hers.outcome).toMatchObject({ approved: true })
    })

    test('odd session ids and cursors give access only to the caller’s own sessions [R10.2]', async () => {
      const world = use()
      await world.emit('hers', 'eve', 'her secret words')
      const ids = [
        '../hers',
        'hers/',
        'hers\u0000',
        './hers',
        '%2e%2e/hers',
        'hers?x',
        'HERS',
        ' hers',
        'x'.repeat(300),
        '__proto__',
        'constructor',
      ]
      for (const id of ids) {
        const reader = read(world.transport('ada'), id)
        await eventually(() => expect(reader.opened || reader.failure !== undefined).toBe(true))
        await world.emit('hers', 'eve', 'more of her secret words')
        expect([id, reader.types]).toEqual([id, []])
        reader.close()
      }
      await world.emit('mine', 'ada', 't1')
      for (const cursor of ['0.0.0', '\r\n', '..', 'x'.repeat(5_000), '-1', 'NaN.1.2', '1.1e3.0']) {
        const reader = read(world.transport('ada'), 'mine', cursor)
        await expect
          .poll(() => reader.resets.length + reader.types.length + (reader.failure ? 1 : 0))
          .toBeGreaterThan(0)
        expect(reader.texts.filter((text) => text !== 't1')).toEqual([])
        reader.close()
      }
    })
  })
}

/** Bytes, text, JSON, and almost valid messages. */
function hostileMessage(hers: Asked): fc.Arbitrary<string | Uint8Array> {
  const nearly = fc
    .record({
      type: fc.constantFrom(
        'hello',
        'set_interaction_mode',
        'tool_interaction_response',
        'extend_interaction',
        'submit_auth_result',
        'user_actions',
        'cancel_run',
      ),
      clientId: fc.oneof(fc.string(), fc.constant('tab-1')),
      interactionId: fc.oneof(fc.constant(hers.interactionId), fc.string()),
      callId: fc.oneof(fc.constant(hers.callId), fc.string()),
      answerId: fc.string(),
      action: fc.constantFrom('approve', 'deny', 'submit', 'decline', 'cancel'),
      runId: fc.oneof(fc.constant('run-1'), fc.string()),
      actions: fc.array(fc.jsonValue(), { maxLength: 3 }),
      enabled: fc.boolean(),
    })
    .map((message) => JSON.stringify(message))
  const broken = nearly.chain((text) =>
    fc
      .tuple(fc.nat(text.length), fc.nat(6), fc.string({ unit: anyCharacter, maxLength: 6 }))
      .map(([at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut)),
  )
  return fc.oneof(nearly, broken, fc.json(), fc.string({ unit: anyCharacter }), fc.uint8Array({ maxLength: 200 }))
}
