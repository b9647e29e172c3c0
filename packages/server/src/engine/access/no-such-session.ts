/** One text for what is unknown and what is somebody else's: a different word would tell a stranger which it is. */
export const noSuchSessionText =
  'There is no session with this id that you may see. It may not have started yet: try again in a moment, or look at the id and at who is signed in.'
