import { useCallback, useState } from 'react'
import { useSettings } from '../../settings/use-settings.ts'

/** Copies a text and announces it. `copied` is false where the browser forbids it, and undefined before the first try. */
export function useCopy(text: string): { copied: boolean | undefined; copy: () => void } {
  const { announcer, messages } = useSettings()
  const [copied, setCopied] = useState<boolean>()
  const copy = useCallback(async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      announcer?.announce(messages.copied)
    } catch {
      setCopied(false)
    }
  }, [text, announcer, messages])
  return { copied, copy: () => void copy() }
}
