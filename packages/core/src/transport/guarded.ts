import type { TransportConnection, TransportListener } from './types.ts'

/**
 * The rules of a listener, kept for every driver in one place: nothing after `close`, nothing after `down`, and `down`
 * only once. `onClose` releases what the driver holds; it runs once, whichever side ended it.
 */
export function guarded(
  { open, events, reset, alive, malformed, down }: TransportListener,
  onClose: () => void,
): { listener: TransportListener; connection: TransportConnection; readonly ended: boolean } {
  const guard = {
    ended: false,
    listener: {
      open: unless(open),
      events: unless(events),
      reset: unless(reset),
      alive: unless(alive),
      malformed: unless(malformed),
      down: unless((failure: Parameters<typeof down>[0]) => {
        close()
        down(failure)
      }),
    },
    connection: { close: unless(close) },
  }
  function close() {
    guard.ended = true
    onClose()
  }
  function unless<A extends unknown[]>(tell: (...args: A) => void) {
    return (...args: A) => {
      if (!guard.ended) tell(...args)
    }
  }
  return guard
}
