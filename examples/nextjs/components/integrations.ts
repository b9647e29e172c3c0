/** How accounts are called here. Only the app says so, never an agent. */
export const integrations = {
  slack: { name: 'Slack', host: 'a local stand-in' },
  gmail: { name: 'Gmail', host: 'a local stand-in' },
}
