/** Suggestions to try: the scripted model reacts to the words. */
export const suggestions = [
  { word: 'delete', title: 'Delete old drafts', about: 'Approve once or for good, or edit what goes' },
  { word: 'survey', title: 'Take a short survey', about: 'A form, in its place in the chat' },
  { word: 'email', title: 'Send the email', about: 'A bad address is asked for again' },
  { word: 'slack', title: 'Post it to Slack', about: 'Connects an account on the way' },
  { word: 'report', title: 'Write the weekly report', about: 'Two accounts, then it continues by itself' },
  { word: 'deploy', title: 'Deploy the website', about: 'Review what was changed, part by part' },
  { word: 'later', title: 'Ask me later', about: 'A follow-up starts a new turn' },
] as const
