import { sseFrame } from '@holdpoint/core/internal'
import { cursorAt, encodeEvent } from '@holdpoint/core/wire'

/**
 * A long session as agents leave it. `tools`: text goes its own way (the AI SDK's stream), the log holds what Holdpoint
 * is for: tool calls with input, logs and output, and for half of the calls a question and its answer. `text`: every
 * streamed word is in the log as well, four fifths of all events.
 */
export type Mix = 'tools' | 'text'

export function recordedLog(count: number, mix: Mix): { chunks: Uint8Array[]; bytes: number; questions: number } {
  const frames: string[] = []
  let questions = 0
  for (let seq = 1; seq <= count; seq++) {
    const event = eventAt(seq, mix)
    if (event.type === 'interaction_request') questions++
    const json = encodeEvent(event)
    frames.push(sseFrame(cursorAt('kJ3mX0aQ', { seq, json }), json))
  }
  const all = new TextEncoder().encode(frames.join(''))
  // As they come from a socket.
  const size = 64 * 1024
  const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.subarray(i * size, (i + 1) * size))
  return { chunks, bytes: all.length, questions }
}

/** Events of two tool calls; the second asks first. */
const STEPS = [
  'start',
  'log',
  'log',
  'log',
  'complete',
  'start',
  'wait',
  'ask',
  'answer',
  'run',
  'log',
  'log',
  'complete',
] as const
const start = Date.parse('2026-03-01T09:00:00.000Z')
const words = 'the files were checked one after the other and those that had not been opened for a year were listed '
const lines = (count: number) => Array.from({ length: count }, (_, i) => `${i}: ${words}`)

function eventAt(seq: number, mix: Mix): { type: string; [key: string]: unknown } {
  const time = start + seq * 100
  const spoken = mix === 'text' && seq % 5 !== 0
  const tick = mix === 'text' ? Math.floor(seq / 5) : seq
  const turn = Math.floor(tick / STEPS.length)
  const step = STEPS[tick % STEPS.length]
  const base = { timestamp: new Date(time).toISOString(), sessionId: 'task-42', runId: `run-${Math.floor(turn / 5)}` }
  const toolCallId = `call-${turn}-${tick % STEPS.length < 5 ? 0 : 1}`
  const call = { toolCallId, toolName: 'delete_files' }
  if (spoken) return { type: 'content', ...base, text: words.slice(seq % 40, (seq % 40) + 20 + (seq % 37)) }
  switch (step) {
    case 'start':
      return { type: 'tool_call_start', ...base, ...call, input: { folder: '/srv/project', files: lines(2) } }
    case 'log':
      return { type: 'tool_call_update', ...base, toolCallId, logs: lines(1 + (seq % 3)) }
    case 'complete':
      return { type: 'tool_call_complete', ...base, ...call, status: 'completed', output: { lines: lines(10) } }
    case 'ask':
      return { type: 'interaction_request', ...base, ...call, interactionId: `int-${turn}`, ...question(turn, time) }
    case 'answer':
      return {
        type: 'interaction_response',
        ...base,
        interactionId: `int-${turn}`,
        toolCallId,
        ...answer(turn),
        respondedBy,
      }
    default:
      return { type: 'run_status', ...base, status: step === 'wait' ? 'awaiting_approval' : 'running' }
  }
}

const respondedBy = { userId: 'ada', name: 'Ada', clientId: 'tab-1' }
const answer = (turn: number) =>
  turn % 2 ? { action: 'approve', approvalScope: 'once' } : { action: 'submit', input: { email: 'ada@example.com' } }

function question(turn: number, time: number) {
  const expiresAt = new Date(time + 300_000).toISOString()
  const asked = { prompt: 'Delete 3 files from the project folder?', timeoutMs: 300_000, expiresAt, attempt: 1 }
  if (turn % 2 === 0) return { ...asked, interactionType: 'input', inputSchema: form }
  return {
    ...asked,
    interactionType: 'approval',
    approvalScopes: ['once', 'session'],
    args: { files: lines(3) },
    risk: 'high',
  }
}

const form = {
  type: 'form',
  fields: [
    { type: 'email', id: 'email', label: 'Where should the report go?', required: true },
    {
      type: 'select',
      id: 'format',
      label: 'Format',
      options: ['pdf', 'csv'].map((value) => ({ value, label: value })),
    },
    { type: 'checkbox', id: 'copy', label: 'Send me a copy', defaultValue: true },
  ],
}
