import type { z } from 'zod'
import { refuse } from './refuse.ts'

/** Returns a body that fits the schema, and refuses any other one with the path of its first fault. */
export function checkBody<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const path = parsed.error.issues[0]?.path.join('.') ?? ''
  refuse('invalid_message', `The request is malformed at ${path || 'its root'}.`, { path })
}
