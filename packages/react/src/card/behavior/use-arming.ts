import { type MouseEvent, useCallback, useEffect, useRef, useState } from 'react'
import { type Arming, createArming } from '../../base/arming.ts'
import { useSettings } from '../../settings/context.ts'
import { followScroll } from './follow-scroll.ts'

/** Not pressed with a pointer: by keyboard, or by assistive technology, neither of which can be aimed wrong. */
export function isVirtual({ detail, nativeEvent }: MouseEvent): boolean {
  if (detail === 0) return true
  const pointer = nativeEvent as PointerEvent
  return pointer.pointerType !== undefined && pointer.pointerType !== '' && pointer.width === 0 && pointer.height === 0
}

const isFramed = () => window.self !== window.top

/** Arms a button. `permits` is asked at the press itself. */
export function useArming(active: boolean): {
  ref: (button: HTMLElement | null) => void
  armed: boolean
  /** The page is inside another one, where a click may be a stolen one. */
  framed: boolean
  permits: (event: MouseEvent) => boolean
} {
  const { clock, allowFramed } = useSettings()
  const [button, ref] = useState<HTMLElement | null>(null)
  const [armed, setArmed] = useState(false)
  const [framed, setFramed] = useState(false)
  const arming = useRef<Arming | null>(null)
  const atPointerDown = useRef<boolean | undefined>(undefined)
  useEffect(() => setFramed(!allowFramed && isFramed()), [allowFramed])
  useEffect(() => {
    if (!button || !active || framed) return
    const scroll = followScroll(button, clock.now)
    const current = createArming({
      clock,
      place: () => {
        const { x, y, width } = button.getBoundingClientRect()
        const offset = scroll.offset()
        return width > 0 ? { x: x + offset.x, y: y + offset.y } : null
      },
      onChange: setArmed,
    })
    arming.current = current
    const end = watchSeen(button, current.seen)
    // The press is judged when it begins: what arms while it is held was not what it was aimed at.
    const onPointerDown = () => {
      atPointerDown.current = current.permits()
    }
    const cancel = () => {
      atPointerDown.current = undefined
    }
    button.addEventListener('pointerdown', onPointerDown)
    button.addEventListener('pointercancel', cancel)
    return () => {
      end()
      scroll.end()
      button.removeEventListener('pointerdown', onPointerDown)
      button.removeEventListener('pointercancel', cancel)
      current.stop()
      arming.current = null
    }
  }, [button, active, framed, clock])
  const permits = useCallback(
    (event: MouseEvent) => {
      if (!allowFramed && isFramed()) return false
      const judged = atPointerDown.current
      atPointerDown.current = undefined
      return isVirtual(event) || (judged ?? arming.current?.permits() ?? false)
    },
    [allowFramed],
  )
  return { ref, armed, framed, permits }
}

/** The button is in the window, and the window is visible. */
function watchSeen(element: HTMLElement, report: (seen: boolean) => void): () => void {
  let inView = false
  const reportSeen = () => report(inView && document.visibilityState === 'visible')
  const observer = new IntersectionObserver(
    (entries) => {
      inView = entries.at(-1)?.isIntersecting ?? false
      reportSeen()
    },
    { threshold: 0.5 },
  )
  observer.observe(element)
  document.addEventListener('visibilitychange', reportSeen)
  return () => {
    observer.disconnect()
    document.removeEventListener('visibilitychange', reportSeen)
  }
}
