'use client'

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

const NEAR = 120

/** Keeps the end of the page in view while the user is there, and does not scroll otherwise. */
export function useFollowBottom(content: readonly unknown[]): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const watch = () => {
      follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR
    }
    element.addEventListener('scroll', watch, { passive: true })
    const grown = new ResizeObserver(() => follows.current && element.scrollTo({ top: element.scrollHeight }))
    for (const child of element.children) grown.observe(child)
    return () => {
      element.removeEventListener('scroll', watch)
      grown.disconnect()
    }
  }, [])
  const count = content.length
  useLayoutEffect(() => {
    if (count > 0) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [count])
  return box
}
