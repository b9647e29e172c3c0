import { HoldpointError } from '../../error.ts'

/** The one refusal of all conversions: which keyword, where, why, and what to do instead. */
export function unsupported(keyword: string, path: string, why: string): HoldpointError {
  return new HoldpointError('unsupported_schema', `${path || 'The schema'}: \`${keyword}\` cannot be a form: ${why}`, {
    details: { keyword, path },
  })
}
