export type { SlackClient } from './call.ts'
export { slackSurface } from './slack.ts'
