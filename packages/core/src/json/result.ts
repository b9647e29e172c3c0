/** The fault of an incoming value. It names the place and never quotes the content. */
export interface WireProblem {
  code: WireProblemCode
  message: string
  /** The path: `inputSchema.fields[2].options`. Missing if the whole value is at fault. */
  path?: string | undefined
}

/** The kinds of faults of incoming values, to branch on. */
export type WireProblemCode =
  | 'invalid_json'
  | 'invalid_utf8'
  | 'too_large'
  | 'too_deep'
  | 'forbidden_key'
  | 'malformed_event'
  | 'malformed_frame'
  | 'malformed_snapshot'

/** Reading never throws: the result is the value or its fault. */
export type Decoded<T> = { ok: true; value: T } | { ok: false; problem: WireProblem }

export const accept = <T>(value: T): Decoded<T> => ({ ok: true, value })

export const refuse = (code: WireProblemCode, message: string, path?: string): { ok: false; problem: WireProblem } => ({
  ok: false,
  problem: { code, message, path },
})
