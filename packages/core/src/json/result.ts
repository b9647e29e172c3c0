/** What is wrong with something that arrived. It names the place; it never quotes the content. */
export interface WireProblem {
  code: WireProblemCode
  message: string
  /** Where: `inputSchema.fields[2].options`. Missing when the whole is at fault. */
  path?: string | undefined
}

/** What can be wrong with something that arrived, to branch on. */
export type WireProblemCode =
  | 'invalid_json'
  | 'invalid_utf8'
  | 'too_large'
  | 'too_deep'
  | 'forbidden_key'
  | 'malformed_event'
  | 'malformed_frame'
  | 'malformed_snapshot'

/** Reading never throws: it gives the value, or says what is wrong with it. */
export type Decoded<T> = { ok: true; value: T } | { ok: false; problem: WireProblem }

export const accept = <T>(value: T): Decoded<T> => ({ ok: true, value })

export const refuse = (code: WireProblemCode, message: string, path?: string): { ok: false; problem: WireProblem } => ({
  ok: false,
  problem: { code, message, path },
})
