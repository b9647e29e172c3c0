import { type PageMessages, pagesInEnglish } from '@holdpoint/core/internal'
import { useSettings } from './context.ts'

/** The words of the inbox and of the settings, in the provider's language if its texts have them. */
export function usePageWords(): PageMessages {
  return useSettings().messages?.pages ?? pagesInEnglish
}
