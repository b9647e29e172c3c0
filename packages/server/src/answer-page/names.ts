import { escapeInvisible } from '@holdpoint/core/internal'
import { readableArgs } from '@holdpoint/core/readable'

/** Returns the id of a tool as words: `delete_files` → `Delete files`. */
export function toolLabel(toolName: string): string {
  const label = readableArgs({ [toolName]: true })
  return escapeInvisible(label.kind === 'group' ? (label.rows[0]?.label ?? toolName) : toolName)
}

/** Returns the id of an account as a name: `google-calendar` → `Google Calendar`. */
export const integrationLabel = (integration: string): string =>
  escapeInvisible(integration)
    .split(/[-_\s]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
