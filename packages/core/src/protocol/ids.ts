import { z } from 'zod'
import { limits } from '../json/limits.ts'

/**
 * An id from outside: printable, without control characters. An id with CR or LF would let its sender write frames into
 * another user's event stream, so every such id is rejected here.
 */
export const id = z
  .string()
  .min(1)
  .max(limits.idLength)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  .regex(/^[^\u0000-\u001f\u007f\u2028\u2029\p{Cs}]+$/u, 'must not contain control characters or lone surrogates')

export const timestamp = z.iso.datetime({ offset: true })
