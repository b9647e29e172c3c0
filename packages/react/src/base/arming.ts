import type { Clock } from './clock.ts'

/** A person needs this long to see what a button says. */
export const ARM_MS = 500
/** The time for which a button that moved or was hidden ignores presses that were aimed at its old place. */
export const REARM_MS = 300
/** A button that moved further than this is not where it was aimed at. */
export const MOVED_PX = 8
const LOOK_MS = 100

/** The page as `arming` sees it. */
export interface ArmingPage {
  clock: Clock
  /** Returns the button's place in the window without the person's own scrolling; null if it is not rendered. */
  place(): { x: number; y: number } | null
  onChange(armed: boolean): void
}

export interface Arming {
  /** The button came into view or left it, or the page was hidden or shown again. */
  seen(visible: boolean): void
  /**
   * Returns whether a press counts now. Measures again, because the button may have moved since the last measurement.
   */
  permits(): boolean
  stop(): void
}

/**
 * Guards a button against clicks that were meant for something else. It is armed after half a second in view and in one
 * place, and after a movement again after 300 ms.
 */
export function createArming({ clock, place, onChange }: ArmingPage): Arming {
  let anchor: { x: number; y: number } | null = null
  let since = 0
  let armed = false
  let read = false
  let timer: unknown

  const become = (next: boolean) => {
    if (armed === next) return
    armed = next
    onChange(next)
  }
  const checkPlace = () => {
    const at = place()
    if (!at || !anchor || Math.hypot(at.x - anchor.x, at.y - anchor.y) > MOVED_PX) {
      anchor = at
      since = clock.now()
      become(false)
    } else if (clock.now() - since >= (read ? REARM_MS : ARM_MS)) {
      read = true
      become(true)
    }
  }
  const poll = () => {
    checkPlace()
    timer = clock.setTimeout(poll, LOOK_MS)
  }
  const stop = () => {
    if (timer !== undefined) clock.clearTimeout(timer)
    timer = undefined
    anchor = null
    become(false)
  }
  return {
    seen(visible) {
      stop()
      if (visible) poll()
    },
    permits() {
      if (timer !== undefined) checkPlace()
      return armed
    },
    stop,
  }
}
