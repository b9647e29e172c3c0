import type { ToolInteractionResponseMessage } from '@holdpoint/core/internal'
import type { ArgsSchema } from './questions.ts'

export type Said = Pick<
  ToolInteractionResponseMessage,
  'action' | 'approvalScope' | 'args' | 'diffDecisions' | 'input' | 'reason'
>

/** One thing that a person may do in the interface, and what it means. Made by `userAction`. */
export interface UserActionDefinition {
  /** The schema of the payload. Without it the action has none. */
  payload?: ArgsSchema<unknown>
  /** Tells the model what the person did. `{field}` is replaced by a field of the payload, quoted as JSON. */
  message: string | ((payload: never) => string)
  /** Of a tool event: the call's status from now on, as screens show it. */
  status?: string
  /** Of a tool event: it answers the question that the call waits for, and so runs what was deferred. */
  answer?: (payload: never) => Said
}

/** The permitted actions of users, by tool and event, and by event alone. All others are refused. */
export interface UserActions {
  tools?: Readonly<Record<string, Readonly<Record<string, UserActionDefinition>>>>
  global?: Readonly<Record<string, UserActionDefinition>>
}

/** A user action that counts: it is in the session's log. */
export interface AcceptedAction {
  actionId: string
  event: string
  toolName?: string
  toolCallId?: string
  runId?: string
  payload?: unknown
  /** For the model. */
  message: string
}
