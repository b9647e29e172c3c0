import type { TransportConnection, TransportListener } from './types.ts'

/**
 * The rules of a listener, kept for every driver in one place: nothing after `close`, nothing after `down`, and `down`
 * only once. `onClose` releases what the driver holds; it runs once, whichever side ended it.
 */
export function guarded(
  listener: TransportListener,
  onClose: () => void,
): { listener: TransportListener; connection: TransportConnection; readonly ended: boolean } {
  let ended = false
  const unless =
    <A extends unknown[]>(tell: (...args: A) => void) =>
    (...args: A) => {
      if (!ended) tell(...args)
    }
  const end = () => {
    if (ended) return false
    ended = true
    onClose()
    return true
  }
  return {
    get ended() {
      return ended
    },
    listener: {
      open: unless(() => listener.open()),
      events: unless((batch) => listener.events(batch)),
      reset: unless((reason) => listener.reset(reason)),
      alive: unless(() => listener.alive()),
      malformed: unless((error) => listener.malformed(error)),
      down: (failure) => {
        if (end()) listener.down(failure)
      },
    },
    connection: { close: () => void end() },
  }
}
