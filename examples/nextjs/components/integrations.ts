/** The names of accounts. They come from the app, never from an agent. */
export const integrations = {
  slack: { name: 'Slack', host: 'a local stand-in' },
  gmail: { name: 'Gmail', host: 'a local stand-in' },
}
