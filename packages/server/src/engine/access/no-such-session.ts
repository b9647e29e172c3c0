/** One text for what is unknown and what is somebody else's: a different word would tell a stranger which it is. */
export const noSuchSessionText =
  'Session not found, or you do not have access to it. It may not have started yet: retry in a moment, or check the session id and the signed-in user.'
