/** The reaction of the scripted model to a word in a message. */
export interface Plan {
  word: string
  opening: string
  toolName: string
  input: object
}

export const plans: readonly Plan[] = [
  {
    word: 'delete',
    opening: 'Three drafts look abandoned. I would remove them.',
    toolName: 'delete_files',
    input: { files: ['drafts/a.md', 'drafts/b.md', 'notes/old.txt'] },
  },
  { word: 'survey', opening: 'I have three short questions.', toolName: 'ask_user', input: { topic: 'week' } },
  {
    word: 'email',
    opening: 'The summary is ready. I can send it right away.',
    toolName: 'send_email',
    input: { subject: 'Weekly summary' },
  },
  {
    word: 'slack',
    opening: 'I will post the summary to Slack.',
    toolName: 'post_to_slack',
    input: { text: 'This week: 14 merged.' },
  },
  {
    word: 'report',
    opening: 'The report needs what is in Slack and in Gmail.',
    toolName: 'write_report',
    input: {},
  },
  { word: 'deploy', opening: 'Deploying to staging first.', toolName: 'deploy', input: { service: 'web' } },
  { word: 'later', opening: 'One thing only you can decide.', toolName: 'ask_later', input: {} },
]

export const help =
  'I am a scripted agent. Say “delete”, “survey”, “email”, “slack”, “report”, “deploy” or “later”, and I will stop and ask you.'
