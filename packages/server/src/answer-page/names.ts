import { escapeInvisible } from '@holdpoint/core/internal'
import { labelsOf } from '@holdpoint/core/internal/editing'

/** Returns the id of a tool as words: `delete_files` → `Delete files`. */
export function toolLabel(toolName: string): string {
  const [named] = labelsOf([{ key: toolName, labelKey: toolName }], escapeInvisible)
  return named?.label ?? escapeInvisible(toolName)
}

/** Returns the id of an account as a name: `google-calendar` → `Google Calendar`. */
export const integrationLabel = (integration: string): string =>
  escapeInvisible(integration)
    .split(/[-_\s]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
