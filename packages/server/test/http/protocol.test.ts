import type { SessionState } from '@holdpoint/core'
import type { SessionSnapshot } from '@holdpoint/core/internal'
import { initialState, type LogEntry, transition } from '@holdpoint/core/machine'
import type { ClientMessage } from '@holdpoint/core/protocol'
import { parseCursor, shownDigest } from '@holdpoint/core/wire'
import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listen, type Running } from './support/servers.ts'

/** What PROTOCOL.md asks of a server, seen from its HTTP side; the channel suite has the rest. */
let holdpoint: Holdpoint
let running: Running

beforeEach(async () => {
  holdpoint = createHoldpoint({
    store: memoryStore(),
    security: { vaultKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    authenticate: (request) => ({ userId: request.headers.get('x-user') ?? 'ada' }),
  })
  running = await listen(toNodeHandler(holdpoint))
})
afterEach(async () => {
  await running.stop()
  await holdpoint.close()
})

const call = (toolCallId = 'call-1', runId = 'run-1') =>
  holdpoint.session('s1', { userId: 'ada' }).toolCall({ runId, toolCallId, toolName: 'tool' })

async function get<T>(path: string): Promise<T> {
  const response = await fetch(`${running.url}/sessions/s1${path}`, { headers: { accept: 'application/json' } })
  return (await response.json()) as T
}
const snapshot = () => get<SessionSnapshot>('')
const log = () => get<{ cursor: string; events: LogEntry['event'][] }>('/events?wait=0')

async function send(message: Partial<ClientMessage> & { type: string }, user = 'ada') {
  const response = await fetch(`${running.url}/sessions/s1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(running.url).origin, 'x-user': user },
    body: JSON.stringify({ clientId: 'tab-1', ...message }),
  })
  return { status: response.status, body: await response.json() }
}

/** The open question, once there is one. */
async function question(): Promise<{ interactionId: string; toolCallId: string }> {
  for (;;) {
    const { interactions = [] } = await snapshot()
    const open = interactions.find(({ response, closed }) => !response && !closed)
    if (open) return open.request as { interactionId: string; toolCallId: string }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
const answer = (question: { interactionId: string; toolCallId: string }, said: object) => ({
  type: 'tool_interaction_response' as const,
  interactionId: question.interactionId,
  callId: question.toolCallId,
  shownDigest: shownDigest(question as never),
  answerId: `answer-to-${question.interactionId}`,
  action: 'approve' as const,
  ...said,
})

describe('events', () => {
  test('[HP-EVT-5] a secret appears in no event and no snapshot, only the fact that it exists', async () => {
    const asked = call().ask({ prompt: 'Key?', fields: [{ id: 'key', type: 'secret', label: 'Key', required: true }] })
    const input = { key: 'hunter2-hunter2' }
    expect(await send(answer(await question(), { action: 'submit', input }))).toMatchObject({ status: 200 })
    await asked
    const text = JSON.stringify([await log(), await snapshot()])
    expect(text).not.toContain('hunter2')
    expect(text).toContain('"key":{"secret":true}')
  })

  test('[HP-INB-3] a settled question in the inbox contains no secret, and has the form of a snapshot', async () => {
    const asked = call().ask({ prompt: 'Key?', fields: [{ id: 'key', type: 'secret', label: 'Key', required: true }] })
    await send(answer(await question(), { action: 'submit', input: { key: 'hunter2-hunter2' } }))
    await asked
    const response = await fetch(`${running.url}/inbox?state=settled`)
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).not.toContain('hunter2')
    const [item] = JSON.parse(text).items
    expect(item).toMatchObject({ sessionId: 's1', you: { userId: 'ada' } })
    expect(item.interaction).toEqual((await snapshot()).interactions[0])
    expect(await (await fetch(`${running.url}/inbox`)).json()).toEqual({ items: [] })
    expect((await fetch(`${running.url}/inbox?state=settle`)).status).toBe(400)
  })

  test('[HP-EVT-6] respondedBy is the authenticated user, regardless of the message', async () => {
    const asked = call().tryApprove({ prompt: 'Delete?' })
    await send({ ...answer(await question(), {}), respondedBy: { userId: 'eve' }, userId: 'eve' } as never)
    await asked
    const { events } = await log()
    expect(events.find(({ type }) => type === 'interaction_response')).toMatchObject({
      respondedBy: { userId: 'ada', clientId: 'tab-1' },
    })
  })

  test('[HP-EVT-7] an interaction has at most one answer, and only cancelled or failed follow it', async () => {
    const first = call('c1').tryApprove({ prompt: 'One?' })
    await send(answer(await question(), {}))
    await first
    const failing = call('c2').requestInteraction({
      type: 'approval',
      prompt: 'Two?',
      whenUnavailable: 'wait',
      onResponse: () => {
        throw new Error('boom')
      },
    })
    failing.catch(() => {})
    await send(answer(await question(), {}))
    await expect(failing).rejects.toThrow()
    const cancelled = call('c3', 'run-3').tryApprove({ prompt: 'Three?' })
    await question()
    await holdpoint.session('s1', { userId: 'ada' }).cancelRun('run-3')
    await cancelled
    const { events } = await log()
    const endings = new Map<unknown, string[]>()
    for (const event of events.filter(({ type }) => /^interaction_(response|closed)$/.test(type))) {
      const { interactionId, type, reason } = event as { interactionId: string; type: string; reason?: string }
      endings.set(interactionId, [...(endings.get(interactionId) ?? []), reason ?? type])
    }
    expect([...endings.values()]).toEqual([['interaction_response'], ['interaction_response', 'failed'], ['cancelled']])
  })

  test('[HP-CUR-2] cursors count from 1 without gaps, and are 0 for an empty log', async () => {
    const session = holdpoint.session('s1', { userId: 'ada' })
    const asked = call().tryApprove({ prompt: 'Delete?' })
    await question()
    for (let seq = 0; seq < 5; seq++) await session.emit({ type: 'content', text: 'x' })
    const { cursor, events } = await log()
    expect(parseCursor(cursor)?.seq).toBe(events.length)
    await send(answer(await question(), {}))
    await asked
    const empty = await fetch(`${running.url}/sessions/s1/events?wait=0&cursor=0.0.0`, {
      headers: { accept: 'application/json' },
    })
    expect(((await empty.json()) as { events: unknown[] }).events.length).toBeGreaterThan(events.length)
  })
})

describe('snapshots', () => {
  test('[HP-SNP-1] [HP-SNP-2] a snapshot plus the later events equals the state of the whole log at any moment', async () => {
    const moments: SessionSnapshot[] = []
    const session = holdpoint.session('s1', { userId: 'ada' })
    const look = async () => void moments.push(await snapshot())
    const calls: Promise<unknown>[] = []
    for (let round = 0; round < 6; round++) {
      const asked =
        round % 2
          ? call(`c${round}`, `run-${round % 3}`).tryAsk({
              prompt: 'Where to?',
              fields: [{ id: 'email', type: 'email', label: 'E-mail' }],
            })
          : call(`c${round}`, `run-${round % 3}`).tryApprove({
              prompt: 'Delete?',
              rememberAs: [round],
              scopes: ['once', 'session'],
            })
      calls.push(asked)
      const open = await question()
      await look()
      await session.emit({ type: 'content', text: 'between' })
      if (round === 3) await session.cancelRun('run-0')
      else await send(answer(open, round % 2 ? { action: 'submit', input: { email: 'a@b.example' } } : {}))
      await look()
    }
    const last = call('open', 'run-9').tryApprove({ prompt: 'Still open?' })
    await question()
    await look()
    const { events } = await log()
    const placed = events.map((event, index) => ({ seq: index + 1, event }))
    const whole = stateAfter(initialState({ sessionId: 's1', clientId: 'c' }), placed)
    for (const moment of moments) {
      const seq = parseCursor(moment.cursor)?.seq ?? 0
      const start = transition(
        initialState({ sessionId: 's1', clientId: 'c' }),
        { type: 'snapshot', snapshot: moment },
        0,
      )
      const state = stateAfter(start[0], placed.slice(seq))
      expect(essence(state)).toEqual(essence(whole))
      const pending = moment.interactions.map(({ response, closed }) => !response && !closed)
      expect(pending.lastIndexOf(true)).toBeLessThan(pending.includes(false) ? pending.indexOf(false) : pending.length)
    }
    expect(moments.length).toBe(13)
    await session.cancel()
    await Promise.allSettled([...calls, last])
  })
})

const essence = (state: SessionState) => ({
  pending: [...state.pendingIds].sort(),
  interactions: [...state.interactions.values()]
    .map(({ interactionId, status, kind, response, closed }) => ({ interactionId, status, kind, response, closed }))
    .sort((a, b) => a.interactionId.localeCompare(b.interactionId)),
  runs: [...state.runs.values()].map(({ runId, status }) => [runId, status]).sort(),
})

function stateAfter(state: SessionState, placed: { seq: number; event: LogEntry['event'] }[]): SessionState {
  const [head] = placed
  if (!head) return state
  const events = placed.map(({ seq, event }) => ({ cursor: `e.${seq}.x`, event }))
  return transition({ ...state, cursor: `e.${head.seq - 1}.x` }, { type: 'events', events }, 0)[0]
}

describe('messages', () => {
  test('[HP-ANS-8] a question is extended only if it allows this', async () => {
    const fixed = call('c1').tryApprove({ prompt: 'Now?', extendable: false })
    const { interactionId } = await question()
    expect(await send({ type: 'extend_interaction', interactionId })).toMatchObject({
      status: 409,
      body: { error: { code: 'not_extendable' } },
    })
    await send(answer(await question(), {}))
    await fixed
    const flexible = call('c2').tryApprove({ prompt: 'Whenever?' })
    const open = await question()
    expect(await send({ type: 'extend_interaction', interactionId: open.interactionId })).toMatchObject({ status: 200 })
    await send(answer(open, {}))
    await flexible
  })

  test('[HP-SEC-8] a GET answers no question, whatever its parameters', async () => {
    const asked = call().tryApprove({ prompt: 'Delete?' })
    const open = await question()
    const query = new URLSearchParams({ action: 'approve', answerId: 'a', ...open, client: 'tab-1', message: '{}' })
    const origin = { origin: new URL(running.url).origin }
    for (const path of ['', '/events', '/messages', '/connect', `/interactions/${open.interactionId}/approve`]) {
      const headers = { accept: 'application/json', ...origin }
      await fetch(`${running.url}/sessions/s1${path}?wait=0&${query}`, { headers })
    }
    expect((await question()).interactionId).toBe(open.interactionId)
    await send(answer(open, { action: 'deny' }))
    expect(await asked).toMatchObject({ outcome: 'denied' })
  })
})
