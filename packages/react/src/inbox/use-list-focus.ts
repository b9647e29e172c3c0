import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'
import { questionIn } from '../base/question-in.ts'

/** Keeps focus in a list when the entry that had it goes away: it moves to the entry in its place, else to the list. */
export function useListFocus(items: readonly unknown[]): {
  ref: RefObject<HTMLElement | null>
  onFocus: (event: FocusEvent) => void
  onBlur: (event: FocusEvent) => void
} {
  const ref = useRef<HTMLElement | null>(null)
  const last = useRef<{ entry: Element; index: number } | null>(null)
  useEffect(() => {
    const { entry, index } = last.current ?? {}
    if (!entry || entry.isConnected || index === undefined) return
    last.current = null
    if (document.activeElement && document.activeElement !== document.body) return
    const entries = entriesOf(ref.current)
    const next = entries[Math.min(index, entries.length - 1)]
    ;(questionIn(next) ?? ref.current)?.focus({ preventScroll: true })
  }, [items])
  return {
    ref,
    onFocus({ target }) {
      const entry = target.closest('li')
      last.current = entry && { entry, index: entriesOf(ref.current).indexOf(entry) }
    },
    onBlur({ target, relatedTarget, currentTarget }) {
      // Another window took the focus: the entry still has this page's.
      if (document.activeElement !== target && !currentTarget.contains(relatedTarget)) last.current = null
    },
  }
}

const entriesOf = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('.hp-inbox-list > li') ?? []),
]
