import { z } from 'zod'
import { fieldErrors } from './interaction.ts'

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
