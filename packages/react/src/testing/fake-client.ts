import type { Answer, HoldpointClient, HoldpointEvent, Interaction, SessionState, UserAction } from '@holdpoint/core'
import type { Topic } from '@holdpoint/core/internal'
import { initialState } from '@holdpoint/core/machine'

/** A client without a network: it shows what it is given and remembers what it is asked to do. */
export interface FakeClient extends HoldpointClient {
  /** The calls, oldest first. */
  readonly calls: readonly { method: string; args: readonly unknown[] }[]
  /** Another state; wakes the listeners of what changed. */
  become(next: Partial<SessionState>, topics?: readonly Topic[]): void
  /** An event, as if the server had sent it. */
  emit(event: HoldpointEvent): void
  /** Puts or replaces one question. */
  put(interaction: Interaction): void
}

/**
 * @example
 * const client = fakeClient({ interactions: [approval()] })
 * client.put({ ...approval(), status: 'expired' })
 * expect(client.calls).toEqual([{ method: 'respond', args: ['q1', { action: 'approve' }] }])
 */
export function fakeClient(
  options: {
    interactions?: readonly Interaction[]
    state?: Partial<SessionState>
    respond?: (id: string, answer: Answer) => ReturnType<HoldpointClient['respond']>
    methods?: Partial<HoldpointClient>
  } = {},
): FakeClient {
  const calls: { method: string; args: readonly unknown[] }[] = []
  const hearers = new Set<(event: HoldpointEvent, cursor: string) => void>()
  const buffered: UserAction[] = []
  const listeners = new Map<() => void, ReadonlySet<Topic> | null>()
  let state = withInteractions(
    {
      ...initialState({ sessionId: 'session-1', clientId: 'client-1' }),
      connection: { status: 'open', attempt: 0 },
      ready: true,
      ...options.state,
    },
    options.interactions ?? [],
  )
  const wake = (topics: readonly Topic[] | null) => {
    for (const [listener, wanted] of [...listeners]) {
      if (!wanted || !topics || topics.some((topic) => wanted.has(topic))) listener()
    }
  }
  const record = <A extends readonly unknown[], R>(method: string, result: (...args: A) => R) => {
    return (...args: A): R => {
      calls.push({ method, args })
      return result(...args)
    }
  }
  return {
    sessionId: 'session-1',
    clientId: 'client-1',
    calls,
    subscribe(listener, topics) {
      listeners.set(listener, topics === undefined ? null : new Set([topics].flat() as Topic[]))
      return () => listeners.delete(listener)
    },
    onEvent(listener) {
      hearers.add(listener)
      return () => hearers.delete(listener)
    },
    getSnapshot: () => state,
    getServerSnapshot: () => state,
    respond: record('respond', options.respond ?? (async () => ({ status: 'accepted' as const }))),
    respondAll: record('respondAll', async (answers: Parameters<HoldpointClient['respondAll']>[0]) =>
      answers.map(({ interactionId }) => ({
        ...{ interactionId, outcome: 'accepted' as const, result: { status: 'accepted' as const } },
      })),
    ),
    retry: record('retry', async (_id: string) => ({ status: 'accepted' as const })),
    discard(id: string) {
      const kept = state.interactions.get(id)
      if (kept) this.put({ ...kept, status: 'pending', problem: undefined })
    },
    extend: record('extend', async (_id: string) => ({ status: 'extended' as const })),
    connectAccount: record('connectAccount', async (_id: string, integration: string) => ({
      flowId: `flow-${integration}`,
      url: `https://accounts.${integration}.example/authorize`,
    })),
    submitAuthResult: record('submitAuthResult', async () => {}),
    setInteractionMode: record('setInteractionMode', (enabled: boolean) => {
      state = { ...state, interactiveMode: enabled }
      wake(['mode'])
    }),
    bufferAction: (action) => void buffered.push(action),
    takeActions: () => buffered.splice(0),
    sendUserActions: record('sendUserActions', async () => {}),
    cancelRun: record('cancelRun', async () => {}),
    upload: record('upload', async (_id: string, _field: string, file: Blob & { name?: string }) => ({
      handle: `upload-${file.name}`,
      name: file.name ?? '',
      size: file.size,
      type: file.type,
    })),
    connect: record('connect', () => {}),
    reconnect: record('reconnect', () => {}),
    close: record('close', () => {}),
    ...options.methods,
    become(next, topics) {
      state = { ...state, ...next }
      wake(topics ?? null)
    },
    emit(event) {
      for (const listener of hearers) listener(event, '')
    },
    put(interaction) {
      state = withInteractions(state, [interaction])
      const { interactionId: id, toolCallId } = interaction
      wake([`interaction:${id}`, `call:${toolCallId}`, 'pending'])
    },
  }
}

function withInteractions(state: SessionState, added: readonly Interaction[]): SessionState {
  const interactions = new Map(state.interactions)
  const toolCalls = new Map(state.toolCalls)
  for (const one of added) {
    interactions.set(one.interactionId, one)
    const before = interactions.get(one.replaces ?? '')
    if (before) interactions.set(before.interactionId, { ...before, replacedBy: one.interactionId })
    const call = toolCalls.get(one.toolCallId)
    const ids = call?.interactionIds ?? []
    toolCalls.set(one.toolCallId, {
      toolCallId: one.toolCallId,
      toolName: one.toolName,
      status: 'running',
      logs: [],
      ...call,
      interactionIds: ids.includes(one.interactionId) ? ids : [...ids, one.interactionId],
    })
  }
  const open = (one: Interaction) =>
    !one.replacedBy && (one.status === 'pending' || one.status === 'submitting' || one.status === 'not_sent')
  const pendingIds = [...interactions.values()].filter(open).map((one) => one.interactionId)
  return { ...state, version: state.version + 1, interactions, toolCalls, pendingIds }
}
