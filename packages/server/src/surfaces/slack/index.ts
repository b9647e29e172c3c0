export { type SlackClient, slackSurface } from './slack.ts'
