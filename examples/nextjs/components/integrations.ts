/** How accounts are called here. Only the app says so, never an agent. */
export const integrations = {
  slack: { name: 'Slack', host: 'slack.com' },
  gmail: { name: 'Gmail', host: 'google.com' },
}
