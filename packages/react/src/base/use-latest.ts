import { useCallback, useLayoutEffect, useRef } from 'react'

/** Reads the value of the last finished render, from handlers and timers; never during a render. */
export function useLatest<T>(value: T): () => T {
  const ref = useRef(value)
  useIsomorphicLayoutEffect(() => {
    ref.current = value
  })
  return useCallback(() => ref.current, [])
}

/** React 18 warns about layout effects on a server, where they do nothing anyway. */
export const useIsomorphicLayoutEffect = typeof document === 'undefined' ? () => {} : useLayoutEffect
