import type { FrameSink } from '../wire/events/frame.ts'
import type { TransportConnection, TransportListener } from './types.ts'

const names = ['open', 'events', 'reset', 'alive', 'malformed', 'down', 'named'] as const

type Listener = TransportListener & Pick<FrameSink, 'named'>

/**
 * Applies the rules of a listener for every driver: no callback after `close` or `down`, and `down` only once.
 * `onClose` releases the driver's resources. It runs once, whichever side ends the connection.
 */
export function guarded(
  listener: Listener,
  onClose: () => void,
): { listener: Listener; connection: TransportConnection; readonly ended: boolean } {
  const close = () => {
    if (guard.ended) return
    guard.ended = true
    onClose()
  }
  const guard = { ended: false, listener: {} as Listener, connection: { close } }
  for (const name of names)
    guard.listener[name] = (...what: unknown[]) => {
      if (guard.ended) return
      if (name === 'down') close()
      ;(listener[name] as ((...what: unknown[]) => void) | undefined)?.(...what)
    }
  return guard
}
