import { type MouseEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useSettings } from '../context.ts'
import { type Arming, createArming } from './arming.ts'

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
  useEffect(() => setFramed(!allowFramed && isFramed()), [allowFramed])
  useEffect(() => {
    if (!button || !active || framed) return
    const current = createArming({
      clock,
      place: () => {
        const { x, y, width } = button.getBoundingClientRect()
        return width > 0 ? { x, y } : null
      },
      onChange: setArmed,
    })
    arming.current = current
    const end = watchSeen(button, current.seen)
    return () => {
      end()
      current.stop()
      arming.current = null
    }
  }, [button, active, framed, clock])
  const permits = useCallback(
    (event: MouseEvent) => {
      if (!allowFramed && isFramed()) return false
      return isVirtual(event) || (arming.current?.permits() ?? false)
    },
    [allowFramed],
  )
  return { ref, armed, framed, permits }
}

/** In the window, and the window in front. */
function watchSeen(element: HTMLElement, report: (seen: boolean) => void): () => void {
  let inView = false
  const tell = () => report(inView && document.visibilityState === 'visible')
  const observer = new IntersectionObserver(
    (entries) => {
      inView = entries.at(-1)?.isIntersecting ?? false
      tell()
    },
    { threshold: 0.5 },
  )
  observer.observe(element)
  document.addEventListener('visibilitychange', tell)
  return () => {
    observer.disconnect()
    document.removeEventListener('visibilitychange', tell)
  }
}
