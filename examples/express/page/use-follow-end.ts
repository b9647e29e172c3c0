import { type RefObject, useEffect, useRef } from 'react'

const NEAR = 120

/** Keeps the end in sight while somebody reads it, also while its card grows; leaves who reads elsewhere alone. */
export function useFollowEnd(lines: number): RefObject<HTMLElement | null> {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element || lines === 0) return
    let follows = true
    const toEnd = () => void (follows && element.scrollTo({ top: element.scrollHeight }))
    const watch = () => {
      follows = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR
    }
    toEnd()
    element.addEventListener('scroll', watch, { passive: true })
    const grown = new ResizeObserver(toEnd)
    for (const child of element.children) grown.observe(child)
    return () => {
      element.removeEventListener('scroll', watch)
      grown.disconnect()
    }
  }, [lines])
  return box
}
