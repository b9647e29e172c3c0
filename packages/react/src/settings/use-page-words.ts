import { type PageMessages, pagesInEnglish } from '@holdpoint/core/internal'
import { useSettings } from './context.ts'

/** Returns the texts of the inbox and of the settings, in the provider's language if its messages contain them. */
export function usePageWords(): PageMessages {
  return useSettings().messages?.pages ?? pagesInEnglish
}
