import { z } from 'zod'
import { fieldErrors } from './interaction.ts'

/** Every error code that crosses the wire, with its HTTP status. PROTOCOL.md carries the same table; a test compares. */
export const errorStatus = {
  invalid_json: 400,
  invalid_utf8: 400,
  too_deep: 400,
  forbidden_key: 400,
  invalid_message: 400,
  unknown_message: 400,
  invalid_cursor: 400,
  action_not_allowed: 400,
  scope_not_offered: 400,
  unknown_action: 400,
  return_not_allowed: 400,
  not_authenticated: 401,
  forbidden: 403,
  origin_not_allowed: 403,
  host_not_allowed: 403,
  not_found: 404,
  unknown_interaction: 404,
  unknown_run: 404,
  unknown_tool_call: 404,
  unknown_policy: 404,
  mount_mismatch: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  settling: 409,
  already_answered: 409,
  answer_id_reused: 409,
  shown_differs: 409,
  action_id_reused: 409,
  not_extendable: 409,
  not_interactive: 409,
  expired: 410,
  cancelled: 410,
  superseded: 410,
  too_large: 413,
  unsupported_media_type: 415,
  invalid_input: 422,
  rate_limited: 429,
  too_many_questions: 429,
  internal: 500,
  body_already_read: 500,
  not_configured: 501,
  accounts_unavailable: 502,
  store_unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

export const errorBody = z.looseObject({
  error: z.looseObject({
    code: z.string(),
    message: z.string(),
    /** Of `invalid_input`: what is wrong, by field. */
    fieldErrors: fieldErrors.optional(),
    /** Of `already_answered`: who and when. */
    respondedBy: z
      .looseObject({ userId: z.string().optional(), name: z.string().optional(), clientId: z.string() })
      .optional(),
    respondedAt: z.string().optional(),
    /** Milliseconds; also sent as the Retry-After header, in seconds. */
    retryAfterMs: z.number().optional(),
    /** Where in the message the fault lies. */
    path: z.string().optional(),
  }),
})
export type ErrorBody = z.infer<typeof errorBody>
