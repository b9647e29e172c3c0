import { z } from 'zod'
import { fieldErrors } from './interaction.ts'

export const errorBody = z.looseObject({
  error: z.looseObject({
    code: z.string(),
    message: z.string(),
    /** For `invalid_input`: the problems by field. */
    fieldErrors: fieldErrors.optional(),
    /** For `already_answered`: the user and the time of the answer. */
    respondedBy: z
      .looseObject({ userId: z.string().optional(), name: z.string().optional(), clientId: z.string() })
      .optional(),
    respondedAt: z.string().optional(),
    /** Milliseconds; also sent as the Retry-After header, in seconds. */
    retryAfterMs: z.number().optional(),
    /** The path of the fault in the message. */
    path: z.string().optional(),
  }),
})
export type ErrorBody = z.infer<typeof errorBody>
