import { type KeyboardEvent, type MouseEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import { isVirtual } from '../../card/behavior/use-arming.ts'
import { useSettings } from '../../settings/context.ts'

/** How long a button is held until it counts. */
export const HOLD_MS = 1_000

interface Options {
  /** False: the button works as any other. */
  on: boolean
  ready: boolean
  /** The content of the approval. If it changes during the hold, the hold starts again. */
  subject: unknown
  /** The button was held long enough, or pressed twice by assistive technology. */
  onHeld: () => void
  /** The button was released too early; `again`: assistive technology, which cannot hold, has pressed it once. */
  onShort: (again: boolean) => void
}

/**
 * Makes a button that counts when it is held for a second, with a pointer or with Enter or Space. Assistive technology,
 * which cannot hold a button, presses it twice. `press` receives every click, and returns whether it handled the click.
 */
export function useHold({ on, ready, subject, onHeld, onShort }: Options) {
  const { clock } = useSettings()
  const timer = useRef<unknown>(undefined)
  const pressedOnce = useRef(false)
  /** Browsers emit a click after each release. It is not a second press. */
  const handled = useRef(false)
  const [holding, setHolding] = useState(false)
  const latest = useRef({ onHeld, onShort })
  useEffect(() => {
    latest.current = { onHeld, onShort }
  })
  const stop = useCallback(() => {
    const running = timer.current !== undefined
    if (running) clock.clearTimeout(timer.current)
    timer.current = undefined
    setHolding(false)
    return running
  }, [clock])
  useEffect(() => {
    pressedOnce.current = false
    return () => void stop()
  }, [stop, subject, ready])
  const start = () => {
    if (!ready || timer.current !== undefined) return
    setHolding(true)
    timer.current = clock.setTimeout(() => {
      stop()
      latest.current.onHeld()
    }, HOLD_MS)
  }
  const release = () => {
    if (stop()) latest.current.onShort(false)
  }
  const leave = () => {
    handled.current = false
    stop()
  }
  const isHoldKey = (event: KeyboardEvent) => event.key === 'Enter' || event.key === ' '
  const props = {
    onPointerDown(event: PointerEvent) {
      // Assistive technology reports a point without a size.
      handled.current = event.width > 0 || event.height > 0
      if (handled.current && event.isPrimary && event.button === 0) start()
    },
    onPointerUp: release,
    onPointerCancel: leave,
    onPointerLeave: leave,
    onKeyDown(event: KeyboardEvent) {
      if (!isHoldKey(event)) return
      event.preventDefault()
      if (!event.repeat) start()
    },
    onKeyUp(event: KeyboardEvent) {
      if (!isHoldKey(event)) return
      event.preventDefault()
      release()
    },
    onBlur: () => void stop(),
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
  }
  const press = (event: MouseEvent): boolean => {
    if (!on) return false
    if (handled.current || !isVirtual(event)) {
      handled.current = false
      return true
    }
    if (pressedOnce.current) latest.current.onHeld()
    else latest.current.onShort(true)
    pressedOnce.current = !pressedOnce.current
    return true
  }
  return { holding, press, props: on ? props : {} }
}
