import { z } from 'zod'
import { limits } from '../json/limits.ts'

/**
 * An id that came from outside: printable, no control characters. CR or LF in an id would let its sender write
 * frames of its own into somebody's event stream, so they are refused here, once, for everybody.
 */
export const id = z
  .string()
  .min(1)
  .max(limits.idLength)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  .regex(/^[^\u0000-\u001f\u007f\u2028\u2029\p{Cs}]+$/u, 'must not contain control characters or lone surrogates')

export const timestamp = z.iso.datetime({ offset: true })
