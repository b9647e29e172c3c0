import { type RefObject, useEffect, useRef } from 'react'

const NEAR = 120

/**
 * Keeps the end of the page in view while the user is there, also while its card grows, and does not scroll otherwise.
 */
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
