import type { TransportConnection, TransportListener } from './types.ts'

const names = ['open', 'events', 'reset', 'alive', 'malformed', 'down'] as const

/**
 * The rules of a listener, kept for every driver in one place: nothing after `close`, nothing after `down`, and `down`
 * only once. `onClose` releases what the driver holds; it runs once, whichever side ended it.
 */
export function guarded(
  listener: TransportListener,
  onClose: () => void,
): { listener: TransportListener; connection: TransportConnection; readonly ended: boolean } {
  const close = () => {
    if (guard.ended) return
    guard.ended = true
    onClose()
  }
  const guard = { ended: false, listener: {} as TransportListener, connection: { close } }
  for (const name of names)
    guard.listener[name] = (what?: unknown) => {
      if (guard.ended) return
      if (name === 'down') close()
      ;(listener[name] as (what: unknown) => void)(what)
    }
  return guard
}
