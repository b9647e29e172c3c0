import type { ArgsSchema } from '../engine/api/questions.ts'
import type { UserActionDefinition } from '../engine/api/user-actions.ts'

type Answer = ReturnType<NonNullable<UserActionDefinition['answer']>>

/**
 * Defines one user action for `createHoldpoint({ userActions })`. Unregistered actions are rejected.
 *
 * @example
 * const holdpoint = createHoldpoint({
 *   userActions: {
 *     tools: {
 *       edit_file: {
 *         applied: userAction({
 *           message: 'The user applied the changes.',
 *           answer: () => ({ action: 'approve' }),
 *         }),
 *         request_fix: userAction({
 *           payload: z.object({ error: z.string() }),
 *           message: 'The user ran it and asks for a fix: {error}',
 *         }),
 *       },
 *     },
 *     global: {
 *       file_uploaded: userAction({
 *         payload: z.object({ name: z.string() }),
 *         message: 'The user uploaded {name}.',
 *       }),
 *     },
 *   },
 * })
 */
export function userAction<Payload = undefined>(definition: {
  payload?: ArgsSchema<Payload>
  message: string | ((payload: Payload) => string)
  /** Only for a tool event: the status of the call that clients show from now on. */
  status?: string
  /** Only for a tool event: returns the answer to the open question of the call, so that the call continues. */
  answer?: (payload: Payload) => Answer
}): UserActionDefinition {
  return definition
}
