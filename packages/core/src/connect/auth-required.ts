import { HoldpointError } from '../error.ts'

/**
 * Thrown by a tool whose account is missing or whose token was rejected.
 *
 * @example if (!token) throw new AuthRequiredError('slack', 'Slack is needed to post the summary')
 */
export class AuthRequiredError extends HoldpointError {
  override readonly name = 'AuthRequiredError'
  readonly integration: string

  constructor(integration: string, message = `${integration} must be connected first.`) {
    super('AUTH_REQUIRED', message, { details: { integration } })
    this.integration = integration
  }
}

/** The account that a tool lacks, as `detectAuthRequired` found it. */
export interface AuthRequired {
  integration: string
  /** The tool's own text. Mark it as such when you show it. */
  message?: string
}

/** The result of a tool that ended. */
export type ToolOutput =
  /** The exit code and the complete stdout of a command. `status` is the one of the result of `spawnSync`. */
  | { exitCode: number | null; stdout: string | Uint8Array }
  | { status: number | null; stdout: string | Uint8Array }
  /** A response of the service's API. */
  | Response
  /** The thrown error (a typed one, or one of a command or request), or the returned JSON value. */
  | unknown

/** A longer text is not such a message. */
const MAX_LENGTH = 16_384

/**
 * Detects whether a tool ended because an account is missing: a typed error, a failed command whose complete stdout is
 * the `AUTH_REQUIRED` JSON (returned, or thrown as by `execFile`), a returned value of that shape, or a 401. Text that
 * merely contains such JSON (a printed file, a web page) does not count. Only integrations that the tool declared
 * count.
 *
 * @example
 * const needed = detectAuthRequired({ exitCode: 1, stdout }, { integrations: ['slack'] })
 * if (needed) await ctx.connect({ integrations: [needed.integration], reason: needed.message })
 */
export function detectAuthRequired(
  output: ToolOutput,
  { integrations }: { integrations: readonly string[] },
): AuthRequired | null {
  const found = read(output, integrations)
  return found && integrations.includes(found.integration) ? found : null
}

function read(output: ToolOutput, integrations: readonly string[]): AuthRequired | null {
  if (typeof output !== 'object' || output === null) return null
  const facts = output as Record<string, unknown>
  if (typeof Response !== 'undefined' && output instanceof Response) return refused(output.status, integrations)
  if (output instanceof Error) {
    const { status, statusCode, response } = facts
    return (
      fromError(output) ??
      fromCommand(facts) ??
      refused(status ?? statusCode ?? (response as { status?: unknown } | undefined)?.status, integrations)
    )
  }
  const isCommand = ('exitCode' in facts || 'status' in facts) && 'stdout' in facts
  return isCommand ? fromCommand(facts) : fromJson(output)
}

/** A 401 does not name an account. If the tool declared one integration, the 401 belongs to it. */
function refused(status: unknown, integrations: readonly string[]): AuthRequired | null {
  return status === 401 && integrations.length === 1 ? { integration: integrations[0] as string } : null
}

function fromError(error: Error): AuthRequired | null {
  const { code, integration, details } = error as { code?: unknown; integration?: unknown; details?: unknown }
  const named = integration ?? (details as { integration?: unknown } | undefined)?.integration
  return code === 'AUTH_REQUIRED' && typeof named === 'string' ? { integration: named, message: error.message } : null
}

/**
 * A command that failed and wrote only the message. A killed command counts as failed, and so does one without an exit
 * code.
 */
function fromCommand({ exitCode, status, stdout }: Record<string, unknown>): AuthRequired | null {
  const failed = (exitCode ?? status) !== 0
  const bytes = ArrayBuffer.isView(stdout) && stdout.byteLength <= MAX_LENGTH ? stdout : undefined
  const text = bytes ? new TextDecoder().decode(bytes) : stdout
  if (!failed || typeof text !== 'string' || text.length > MAX_LENGTH) return null
  try {
    return fromJson(JSON.parse(text))
  } catch {
    return null
  }
}

/** `{ error: { code, integration, message? } }` without other fields. */
function fromJson(value: unknown): AuthRequired | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'error') return null
  const { code, integration, message } = ((value as { error: unknown }).error ?? {}) as Record<string, unknown>
  if (code !== 'AUTH_REQUIRED' || typeof integration !== 'string') return null
  return { integration, ...(typeof message === 'string' ? { message } : {}) }
}
