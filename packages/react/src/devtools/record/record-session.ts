import type { HoldpointClient } from '@holdpoint/core'
import { stateAfter } from './replay.ts'
import type { RecordedMark, RecordOptions, SessionRecorder, SessionRecording } from './types.ts'

/**
 * Records the events and the connection of a client from now on. The client connects for it, as for any subscriber.
 *
 * @example
 * const recorder = recordSession(client)
 * console.log(recorder.getSnapshot().events.length)
 */
export function recordSession(client: HoldpointClient, options: RecordOptions = {}): SessionRecorder {
  const { limit = 2_000, now = Date.now } = options
  const listeners = new Set<() => void>()
  let stopped = false
  const first = client.getSnapshot()
  let recording: SessionRecording = {
    sessionId: client.sessionId,
    events: [],
    marks: [{ at: now(), kind: 'connection', value: first.connection.status }],
    base: first,
    state: first,
    dropped: 0,
  }
  const become = (next: Partial<SessionRecording>) => {
    recording = { ...recording, ...next }
    for (const listener of listeners) listener()
  }
  const mark = (kind: RecordedMark['kind'], value: string) =>
    [...recording.marks, { at: now(), kind, value }].slice(-limit)
  const isMarked = (kind: RecordedMark['kind'], value: string) =>
    recording.marks.some((one) => one.kind === kind && one.value === value)

  const stopEvents = client.onEvent((event, cursor) => {
    const events = [...recording.events, { cursor, event, at: now() }]
    if (events.length <= limit) return become({ events })
    // The older half becomes the state that replay begins with.
    const half = Math.ceil(limit / 2)
    const base = stateAfter({ ...recording, events }, half)
    become({ events: events.slice(half), base, dropped: recording.dropped + half })
  })
  const stopState = client.subscribe(() => {
    const before = recording.state
    const state = client.getSnapshot()
    const { status } = state.connection
    become({ state, ...(status !== before.connection.status && { marks: mark('connection', status) }) })
    for (const [id, { draft, answeredHere }] of state.interactions) {
      if ((draft || answeredHere) && !isMarked('sent', id)) become({ marks: mark('sent', id) })
    }
    queueMicrotask(rebase)
  })
  // The events of a batch are reported after its state. A cursor that moved without an event belongs to a snapshot.
  function rebase(): void {
    const { cursor } = recording.state
    if (stopped || cursor === (recording.events.at(-1)?.cursor ?? recording.base.cursor)) return
    become({ events: [], base: recording.state, dropped: recording.dropped + recording.events.length })
  }

  return {
    client,
    getSnapshot: () => recording,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    shown(interactionId) {
      if (!isMarked('shown', interactionId)) become({ marks: mark('shown', interactionId) })
    },
    clear() {
      const state = client.getSnapshot()
      become({ events: [], base: state, state, dropped: 0 })
    },
    stop() {
      stopped = true
      stopEvents()
      stopState()
      listeners.clear()
    },
  }
}
