import { shownDigest } from '@holdpoint/core/wire'
import type { Holdpoint } from '@holdpoint/server'

/** The digest of a question as it is stored: what a person who has just read the session has on screen. */
export async function shownIn(holdpoint: Holdpoint, sessionId: string, interactionId: string): Promise<string> {
  const asked = await holdpoint.interactions.get({ sessionId, interactionId })
  return asked ? shownDigest(asked.request) : 'not shown'
}
