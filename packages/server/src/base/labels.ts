import { escapeInvisible } from '@holdpoint/core/internal'
import { integrationWords, toolWords } from '@holdpoint/core/internal/names'

/** Returns the id of a tool as words: `delete_files` → `Delete files`. */
export const toolLabel = (toolName: string): string => escapeInvisible(toolWords(toolName))

/** Returns the id of an account as a name: `google-calendar` → `Google Calendar`. */
export const integrationLabel = (integration: string): string => escapeInvisible(integrationWords(integration))
