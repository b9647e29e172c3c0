import { humanize } from '../forms/json-schema/humanize.ts'

/** Letters and digits in words, as programs write them: `delete_files`, `mcp__github__createIssue`. */
const IDENTIFIER = /^[a-z][a-z\d]*(?:[_.-]+[a-z\d]+)*$/i

/**
 * Returns the id of a tool as words: `delete_files` is "Delete files". All surfaces use this function, so that a tool has
 * the same name on each. Anything but a plain identifier stays as it is, and the caller escapes it.
 */
export const toolWords = (toolName: string): string => (IDENTIFIER.test(toolName) ? humanize(toolName) : toolName)

/** Returns the id of an integration as a name: `google-calendar` is "Google Calendar". The caller escapes it. */
export const integrationWords = (integration: string): string =>
  integration
    .split(/[-_\s]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
