import { sha256 } from '../json/sha256.ts'
import { guarded } from '../transport/guarded.ts'
import { httpFetch, resolveHeaders } from '../transport/http.ts'
import { parseCursor } from '../wire/events/cursor.ts'
import { readStream } from './read-stream.ts'

/**
 * The functions of the client that the shared stream needs as well. They are passed to it, because bundlers give
 * modules that both parts import a chunk of their own, and two small chunks compress worse than one.
 */
export const firstBundle = { guarded, httpFetch, parseCursor, readStream, resolveHeaders, sha256 }
export type FirstBundle = typeof firstBundle
