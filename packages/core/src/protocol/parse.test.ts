import { anyCharacter } from '@holdpoint/conformance/any-character'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromSchema } from '../../test/support/from-schema.ts'
import { mutated } from '../../test/support/mutate.ts'
import { limits } from '../json/limits.ts'
import { channelFrame } from './frames.ts'
import { clientMessage } from './messages.ts'
import { type Parsed, parseChannelFrame, parseClientMessage } from './parse.ts'

const answer = {
  type: 'tool_interaction_response',
  clientId: 'tab-1',
  callId: 'c-1',
  interactionId: 'i-1',
  answerId: 'a-1',
  action: 'approve',
  shownDigest: 'x',
}
const bytes = (text: string) => new TextEncoder().encode(text)
const said = (parsed: Parsed<unknown>) => (parsed.ok ? 'ok' : parsed.body.error.code)

describe('parsing accepts', () => {
  test('each message of the schema, as text and as bytes, with unknown fields', () => {
    fc.assert(
      fc.property(fromSchema(clientMessage), (message) => {
        const json = JSON.stringify(message)
        fc.pre(!json.includes('__proto__'))
        expect(parseClientMessage(json)).toEqual({ ok: true, value: message })
        expect(parseClientMessage(bytes(json))).toEqual({ ok: true, value: message })
      }),
    )
  })

  test('HP-MSG-4 unknown fields of a newer client', () => {
    const newer = { ...answer, mood: 'sunny', input: { a: 1 } }
    expect(parseClientMessage(JSON.stringify(newer))).toEqual({ ok: true, value: newer })
  })

  test('each frame of the schema', () => {
    fc.assert(
      fc.property(fromSchema(channelFrame), (frame) => {
        const json = JSON.stringify(frame)
        fc.pre(!json.includes('__proto__'))
        expect(parseChannelFrame(json)).toMatchObject({ ok: true })
      }),
    )
  })
})

describe('parsing rejects with a code', () => {
  test.each([
    ['HP-ENC-1', 'invalid_utf8', Uint8Array.from([0x22, 0xc3, 0x28, 0x22])],
    ['HP-ENC-2', 'invalid_json', '{"type":'],
    ['HP-ENC-2', 'invalid_json', ''],
    ['HP-ENC-3', 'too_deep', JSON.stringify({ ...answer, args: JSON.parse('['.repeat(64) + ']'.repeat(64)) })],
    ['HP-ENC-4', 'forbidden_key', JSON.stringify(answer).replace('}', ',"input":{"__proto__":{"admin":true}}}')],
    ['HP-ENC-7', 'too_large', JSON.stringify({ ...answer, reason: 'x'.repeat(1024 * 1024) })],
    ['HP-ENC-7', 'too_large', bytes(JSON.stringify({ ...answer, reason: 'ü'.repeat(limits.messageBytes / 2) }))],
    ['HP-MSG-2', 'unknown_message', '{"type":"reboot","clientId":"tab-1"}'],
    ['HP-MSG-2', 'unknown_message', '{"type":"constructor"}'],
    ['HP-ENC-6', 'invalid_message', JSON.stringify({ ...answer, args: { a: [7] } }).replace('7', '1e400')],
    ['HP-MSG-1', 'unknown_message', '{"type":"reboot","a":-1e400}'],
    ['HP-MSG-3', 'invalid_message', '[]'],
    ['HP-MSG-3', 'invalid_message', 'null'],
    ['HP-MSG-3', 'invalid_message', '{"clientId":"tab-1"}'],
  ])('%s %s', (_id, code, input) => {
    expect(said(parseClientMessage(input))).toBe(code)
  })

  test.each([
    ['HP-ENC-5', 'interactionId', { ...answer, interactionId: 'i\r\ndata: forged' }],
    ['HP-ENC-5', 'answerId', { ...answer, answerId: 'a\u2028b' }],
    ['HP-ENC-5', 'clientId', { ...answer, clientId: '' }],
    ['HP-ENC-5', 'callId', { ...answer, callId: 'c'.repeat(257) }],
    ['HP-ENC-5', 'callId', { ...answer, callId: 'c\u0000' }],
    [
      'HP-ENC-5',
      'integration',
      { type: 'submit_auth_result', clientId: 't', generationId: 'r', integration: '\ud800', success: true },
    ],
    ['HP-MSG-3', 'action', { ...answer, action: 'shrug' }],
    ['HP-MSG-3', 'approvalScope', { ...answer, approvalScope: 'forever' }],
    ['HP-MSG-3', 'diffDecisions.h1', { ...answer, diffDecisions: { h1: 'maybe' } }],
    ['HP-LIM-1', 'reason', { ...answer, reason: 'x'.repeat(limits.reasonLength + 1) }],
    [
      'HP-LIM-1',
      'actions',
      {
        type: 'user_actions',
        clientId: 't',
        actions: Array.from({ length: 101 }, () => ({ type: 'global_event', event: 'e' })),
      },
    ],
    [
      'HP-MSG-3',
      'actions[1].toolCallId',
      {
        type: 'user_actions',
        clientId: 't',
        actions: [
          { type: 'global_event', event: 'e' },
          { type: 'tool_event', toolName: 't', event: 'e' },
        ],
      },
    ],
  ])('%s is rejected with invalid_message at %s', (_id, path, message) => {
    expect(parseClientMessage(JSON.stringify(message))).toMatchObject({
      ok: false,
      status: 400,
      body: { error: { code: 'invalid_message', path } },
    })
  })

  test('HP-MSG-1 the first fault in the order size, UTF-8, JSON, nesting, keys, type, shape', () => {
    const faults = [
      ['too_large', Uint8Array.from(Array.from({ length: 300 }, () => 0xff))],
      ['invalid_utf8', Uint8Array.from([0xff, 0x7b])],
      ['invalid_json', '{"__proto__":'.repeat(70)],
      ['too_deep', `${'{"type":'.repeat(70)}{"__proto__":1}${'}'.repeat(70)}`],
      ['forbidden_key', '{"type":"reboot","__proto__":{}}'],
      ['unknown_message', '{"type":"reboot","clientId":7}'],
      ['invalid_message', '{"type":"hello","clientId":7}'],
    ] as const
    for (const [code, input] of faults) {
      const room = { messageBytes: code === 'too_large' ? 256 : 4096 }
      expect(said(parseClientMessage(input, room))).toBe(code)
    }
  })

  test('a message above the limits of the server', () => {
    const json = JSON.stringify({ ...answer, args: [[[]]] })
    expect(said(parseClientMessage(json, { messageBytes: 10 }))).toBe('too_large')
    expect(said(parseClientMessage(json, { depth: 3 }))).toBe('too_deep')
    expect(said(parseClientMessage(json, { depth: 4 }))).toBe('ok')
  })

  test('a message without repeating its content', () => {
    const secret = 'hunter2-hunter2'
    for (const input of [
      `{"type":"${secret}"}`,
      `{"${secret}`,
      JSON.stringify({ ...answer, action: secret, clientId: `${secret}\n` }),
    ]) {
      expect(JSON.stringify(parseClientMessage(input))).not.toContain(secret)
    }
  })
})

describe('frames', () => {
  test('a frame with the id to answer under, if it could be read', () => {
    const id = 'm-1'
    expect(parseChannelFrame(JSON.stringify({ id, message: { ...answer, action: 'shrug' } }))).toMatchObject({
      ok: false,
      id,
      body: { error: { code: 'invalid_message', path: 'message.action' } },
    })
    expect(parseChannelFrame(JSON.stringify({ id, message: { type: 'reboot' } }))).toMatchObject({
      id,
      body: { error: { code: 'unknown_message', path: 'message.type' } },
    })
    expect(parseChannelFrame(JSON.stringify({ id, request: { method: 'DELETE', path: '/inbox' } }))).toMatchObject({
      id,
      ok: false,
    })
    expect(parseChannelFrame('{')).not.toHaveProperty('id')
  })
})

test('HP-EVT-2 HP-MSG-1 parsing any input returns a result and does not throw [R10.3]', () => {
  const messages = fromSchema(clientMessage)
  const input = fc.oneof(
    fc.uint8Array(),
    fc.string({ unit: anyCharacter }),
    fc.json(),
    fc.oneof(messages, mutated(messages), mutated(mutated(messages))).map((value) => JSON.stringify(value) ?? ''),
  )
  fc.assert(
    fc.property(input, (value) => {
      for (const parsed of [parseClientMessage(value), parseChannelFrame(value)]) {
        if (!parsed.ok) expect(parsed.status).toBeGreaterThanOrEqual(400)
      }
    }),
    { numRuns: 1000 },
  )
})
