import { HoldpointError } from '@holdpoint/core'
import type { Json } from '../../base/canonical-json.ts'
import { byteLength } from '../../base/environment.ts'
import { assertJsonValue } from '../../base/json-value.ts'

/**
 * The maximum size of a `wake` value, which is stored with every question of its call and sent with every settled
 * notice.
 */
const MOST_BYTES = 2_048

/** Rejects a `wake` value that would change in the store, or is larger than a pointer needs to be. */
export function checkedWake(wake: Json | undefined): Json | undefined {
  if (wake === undefined) return undefined
  assertJsonValue(wake, { what: 'The wake value of a tool call', for: 'identity' }, 'wake')
  const bytes = byteLength(JSON.stringify(wake))
  if (bytes <= MOST_BYTES) return wake
  throw new HoldpointError(
    'invalid_request',
    `"wake" has ${bytes} bytes as JSON; at most ${MOST_BYTES} are stored with a question. Store the state yourself and pass its id.`,
    { details: { path: 'wake' } },
  )
}
