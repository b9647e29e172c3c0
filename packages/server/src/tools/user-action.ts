import type { ArgsSchema } from '../engine/api/questions.ts'
import type { UserActionDefinition } from '../engine/api/user-actions.ts'

type Answer = ReturnType<NonNullable<UserActionDefinition['answer']>>

/**
 * One thing that a person may do in the interface, for `createHoldpoint({ userActions })`. What is not registered there
 * is refused by name.
 *
 * @example
 * const holdpoint = createHoldpoint({
 *   userActions: {
 *     tools: {
 *       edit_file: {
 *         applied: userAction({ message: 'The user applied the changes.', answer: () => ({ action: 'approve' }) }),
 *         request_fix: userAction({
 *           payload: z.object({ error: z.string() }),
 *           message: 'The user ran it and asks for a fix: {error}',
 *         }),
 *       },
 *     },
 *     global: {
 *       file_uploaded: userAction({ payload: z.object({ name: z.string() }), message: 'The user uploaded {name}.' }),
 *     },
 *   },
 * })
 */
export function userAction<Payload = undefined>(definition: {
  payload?: ArgsSchema<Payload>
  message: string | ((payload: Payload) => string)
  /** Of a tool event: the call's status from now on, as screens show it. */
  status?: string
  /** Of a tool event: it answers the question that the call waits for, and so runs what was deferred. */
  answer?: (payload: Payload) => Answer
}): UserActionDefinition {
  return definition
}
