/**
 * Returns whether an answer must carry the digest of what was shown. An approval and a submitted form have
 * consequences. The other actions have none, so a person can always decline.
 */
export function needsShownDigest(action: string): boolean {
  return action === 'approve' || action === 'submit'
}
