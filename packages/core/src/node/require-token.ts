import { writeSync } from 'node:fs'
import { type Integration, integrations as known } from '../connect/integrations.ts'
import { HoldpointError } from '../error.ts'

/** Settings of `requireToken`. Tools rarely need more than `message`; the rest is for tests. */
export interface RequireTokenOptions {
  /** Why it is needed, for the person: "Slack is needed to post the summary". */
  message?: string
  /** Names and variables; the ten included integrations by default. */
  integrations?: Readonly<Record<string, Integration>>
  env?: Readonly<Record<string, string | undefined>>
  write?(line: string): void
  exit?(code: number): never
}

/**
 * Returns the token of an integration from its environment variable, for command-line tools. Without one it prints the
 * `AUTH_REQUIRED` JSON and exits with 1, so that the caller can ask the person and run the tool again. Call it before
 * any other output.
 *
 * @example const token = requireToken('slack', { message: 'Slack is needed to post the summary' })
 */
export function requireToken(integration: string, options: RequireTokenOptions = {}): string {
  const { integrations = known, env = process.env } = options
  const entry = Object.hasOwn(integrations, integration) ? integrations[integration] : undefined
  if (!entry) {
    throw new HoldpointError(
      'unknown_integration',
      `Unknown integration "${integration}". Name its variable in \`integrations\`.`,
    )
  }
  return env[entry.variable] || reportAuthRequired(integration, options)
}

/**
 * Reports that the account must be connected again, and exits with 1. For command-line tools whose API responds with
 * 401.
 *
 * @example if (response.status === 401) reportAuthRequired('slack')
 */
export function reportAuthRequired(
  integration: string,
  {
    message,
    integrations = known,
    // Synchronous, because buffered output is lost when a process exits.
    write = (line) => void writeSync(1, line),
    exit = process.exit,
  }: RequireTokenOptions = {},
): never {
  const name = Object.hasOwn(integrations, integration) ? integrations[integration]?.name : undefined
  const text = message ?? `${name ?? integration} must be connected first.`
  write(`${JSON.stringify({ error: { code: 'AUTH_REQUIRED', integration, message: text } })}\n`)
  return exit(1)
}
