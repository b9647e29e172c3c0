/** The names of accounts and tools, for the pages and for mails. They come from the app, never from an agent. */
export const integrations = {
  slack: { name: 'Slack', host: 'a local stand-in' },
  gmail: { name: 'Gmail', host: 'a local stand-in' },
}

export const tools = {
  post_to_slack: { name: 'Post to Slack', description: 'Posts a text to the #general channel.' },
}
