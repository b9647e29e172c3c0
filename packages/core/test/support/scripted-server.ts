import type { ClientMessage } from '@holdpoint/core/protocol'
import { cursorAt, parseCursor } from '@holdpoint/core/wire'
import type { HoldpointEvent } from '../../src/protocol/events.ts'
import type { ResetReason } from '../../src/protocol/frames.ts'
import type { SendResult, Transport, TransportFailure, TransportListener } from '../../src/transport/types.ts'
import { snapshotOf } from './model.ts'

interface Stream {
  cursor: string | null
  listener: TransportListener
  open: boolean
}

const confirmed: Partial<Record<ClientMessage['type'], string>> = {
  cancel_run: 'cancelled',
  extend_interaction: 'extended',
}

/** A server that a test controls: it keeps a log, streams it, and fails on request. */
export function scriptedServer() {
  let epoch = 'e1'
  let log: HoldpointEvent[] = []
  let wasReset = false
  const streams = new Set<Stream>()
  const sent: ClientMessage[] = []
  const calls: string[] = []
  const aborted: string[] = []
  const script = {
    /** Replaces its default behavior. */
    onSend: undefined as
      | ((message: ClientMessage, signal?: AbortSignal) => SendResult | Promise<SendResult> | undefined)
      | undefined,
    onSnapshot: undefined as (() => SendResult | Promise<SendResult> | undefined) | undefined,
    onConnect: undefined as ((stream: Stream) => boolean | undefined) | undefined,
  }
  const cursor = (seq: number) => cursorAt(epoch, seq ? { seq, json: JSON.stringify(log[seq - 1]) } : null)
  const entry = (seq: number) => ({ cursor: cursor(seq), event: log[seq - 1]! })

  const transport: Transport = {
    name: 'scripted',
    connect(_context, from, listener) {
      calls.push(`connect ${from ?? 'beginning'}`)
      const stream: Stream = { cursor: from, listener, open: true }
      queueMicrotask(() => {
        if (!stream.open || script.onConnect?.(stream)) return
        streams.add(stream)
        listener.open()
        const at = from === null ? { epoch, seq: 0 } : parseCursor(from)!
        if (at.epoch !== epoch) return listener.reset('epoch')
        if (at.seq > log.length) return listener.reset('ahead')
        if (at.seq && cursor(at.seq) !== from) return listener.reset('forked')
        const missed = log.slice(at.seq).map((_, index) => entry(at.seq + index + 1))
        if (missed.length) listener.events(missed)
      })
      return {
        close() {
          stream.open = false
          streams.delete(stream)
          calls.push('close')
        },
      }
    },
    async send(_context, message, signal) {
      sent.push(message)
      signal?.addEventListener('abort', () => aborted.push(message.type))
      return (
        (await script.onSend?.(message, signal)) ?? {
          status: 200,
          body: { status: confirmed[message.type] ?? 'accepted' },
        }
      )
    },
    async snapshot(_context, signal) {
      calls.push('snapshot')
      signal?.addEventListener('abort', () => aborted.push('snapshot'))
      return (await script.onSnapshot?.()) ?? { status: 200, body: structuredClone(snapshotOf(log, epoch)) }
    },
    async request(_context, path, init) {
      calls.push(`${init.method} ${path}`)
      return { status: 200, body: { path, body: init.body ?? null, flowId: 'flow-1', handle: 'file-1' } }
    },
  }
  return {
    transport,
    script,
    streams,
    sent,
    calls,
    aborted,
    get log() {
      return log
    },
    answers: () => sent.flatMap((message) => (message.type === 'tool_interaction_response' ? [message] : [])),
    /** Appends, and notifies every open stream. */
    emit(...events: HoldpointEvent[]) {
      log.push(...events)
      const entries = events.map((_, index) => entry(log.length - events.length + index + 1))
      for (const { listener } of [...streams]) listener.events(entries)
    },
    /** Appends without notification, like an event that a stream lost. */
    append(...events: HoldpointEvent[]) {
      log.push(...events)
    },
    drop(failure: TransportFailure = { code: 'ended', message: 'ended' }) {
      for (const stream of [...streams]) {
        streams.delete(stream)
        stream.listener.down(failure)
      }
    },
    get epoch() {
      return epoch
    },
    get wasReset() {
      return wasReset
    },
    reset(reason: ResetReason) {
      wasReset ||= streams.size > 0
      for (const { listener } of [...streams]) listener.reset(reason)
    },
    /** A restored backup: another log under another epoch, or under the same. */
    restore(events: HoldpointEvent[], newEpoch = 'e2') {
      log = [...events]
      epoch = newEpoch
    },
  }
}
