import { redact, secretFieldsOf } from './redact.ts'
import type { SessionRecording } from './types.ts'

/**
 * Returns a recording as code for `recordedPeer` of `@holdpoint/core/testing`: a test or a story shows the same session.
 * Secrets are redacted.
 */
export function recordingAsCode({ sessionId, events }: SessionRecording, count = events.length): string {
  const secrets = secretFieldsOf(events)
  const list = events.slice(0, count).map(({ event }) => redact(event, secrets))
  return [
    "import { recordedPeer } from '@holdpoint/core/testing'",
    '',
    `export const peer = recordedPeer({ sessionId: ${JSON.stringify(sessionId)}, events: ${JSON.stringify(list, null, 2)} })`,
    '',
  ].join('\n')
}
