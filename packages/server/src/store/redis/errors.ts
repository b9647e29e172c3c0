import { isHoldpointError } from '@holdpoint/core'
import { storeError } from '../shared/errors.ts'

/** Converts an error of Redis or its client to a store error that says what happened, why, and what to do. */
export function redisError(error: unknown, during: 'read' | 'write'): unknown {
  if (isHoldpointError(error)) return error
  const said = error instanceof Error ? error.message : String(error)
  const refused = (applied: 'no' | 'unknown') => ({
    cause: error,
    ...(during === 'write' && { details: { applied } }),
  })
  if (said.startsWith('OOM')) {
    return storeError(
      'store_full',
      'Redis has reached its maxmemory and rejects writes. Nothing was written, reads still work. Give it more memory; with an eviction policy other than noeviction it would drop questions.',
      refused('no'),
    )
  }
  if (said.startsWith('MISCONF') && said.includes('No space left')) {
    return storeError(
      'store_full',
      'The disk of Redis is full, so it rejects writes. Nothing was written, reads still work. Free some space there.',
      refused('no'),
    )
  }
  if (said.startsWith('READONLY') || said.startsWith('NOREPLICAS') || said.startsWith('MISCONF')) {
    return storeError(
      'store_readonly',
      'Redis rejects writes: this is a replica, its replicas are gone, or it cannot save to disk. Nothing was written. Connect to the primary (a failover may be in progress), or check the log of Redis.',
      refused('no'),
    )
  }
  // With these errors Redis has executed nothing. After a lost connection or a timeout this is unknown.
  const answered = /^(?:LOADING|BUSY|CLUSTERDOWN|TRYAGAIN|MASTERDOWN|NOAUTH|WRONGPASS|NOPERM|ERR)\b/.test(said)
  return storeError(
    'store_unavailable',
    'Redis did not respond or could not execute the command. Check the connection, the credentials and the log of Redis; the store reconnects by itself.',
    refused(answered ? 'no' : 'unknown'),
  )
}
