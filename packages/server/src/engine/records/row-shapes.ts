/**
 * Fields without which a row of a kind cannot be worked on, with their types. They tell a damaged row from a whole one
 * where it is read, before code that relies on them fails in a place that concerns other rows too.
 */
const question = { id: 'string', status: 'string', request: 'object', askedAt: 'number', expiresAt: 'number' }
const run = { runId: 'string', status: 'string', waiting: 'object' }
const shapes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  session: { userId: 'string' },
  run,
  idle: run,
  question,
  ended: question,
  call: { runId: 'string', toolCallId: 'string', status: 'string', fence: 'number', keys: 'object' },
  delivery: { deliveryId: 'string', type: 'string', attempts: 'number' },
  node: { until: 'number' },
  presence: { userId: 'string', until: 'number' },
  remembered: { userId: 'string', tool: 'string', key: 'string', scope: 'string' },
  looked: { userId: 'string', at: 'number' },
  link: { sessionId: 'string', interactionId: 'string', userId: 'string', until: 'number' },
  sent: { interactionId: 'string', surface: 'string', userId: 'string', reminder: 'number' },
  state: { runId: 'string', writes: 'number', sealed: 'object' },
  tool_setting: { tool: 'string', choice: 'string' },
}

/** The first field that is missing or of another type; undefined for a whole row. */
export function missingField(kind: string, data: Readonly<Record<string, unknown>>): string | undefined {
  const shape = shapes[kind]
  for (const field in shape) {
    const value = data[field]
    if (typeof value !== shape[field] || value === null) return field
  }
  return undefined
}
