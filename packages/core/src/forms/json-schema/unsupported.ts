import { HoldpointError } from '../../error.ts'

/** The error of all conversions: the keyword, the path, the reason and the remedy. */
export function unsupported(keyword: string, path: string, why: string): HoldpointError {
  return new HoldpointError('unsupported_schema', `${path || 'The schema'}: \`${keyword}\` cannot be a form: ${why}`, {
    details: { keyword, path },
  })
}
