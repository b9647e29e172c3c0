import type { ConnectOptions } from './questions.ts'

/** Says which accounts a piece of work may ask for, and how it is told of their tokens. */
export interface WithAuthOptions<Integration extends string>
  extends Pick<ConnectOptions<Integration>, 'key' | 'reason' | 'scopes' | 'timeoutMs' | 'whenUnavailable' | 'labels'> {
  /** The accounts that this work may need. Whatever else its output names raises nothing. */
  integrations: readonly Integration[]
  /** In which variable a command expects a token; by integration, beside the ten that come with it. */
  variables?: Readonly<Record<string, string>>
}

/** What work that needs accounts is given. */
export interface Auth<Integration extends string> {
  /** How often this work was begun in this execution, from 1. */
  readonly attempt: number
  /** Aborted with the tool call. */
  readonly signal: AbortSignal
  /** A token that works now; without an account it ends the work, the person is asked, and the work begins again. */
  token(integration: Integration): Promise<string>
  /** The tokens of what is connected as environment variables, for one command. What is not connected is not in it. */
  env(): Promise<Record<string, string>>
}
