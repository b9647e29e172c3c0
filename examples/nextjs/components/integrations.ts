/** The names of accounts. They come from the app, never from an agent. */
export const integrations = {
  slack: { name: 'Slack', host: 'a local stand-in' },
  gmail: { name: 'Gmail', host: 'a local stand-in' },
}

/** The texts of the settings about tools. In a chat the titles come from the AI SDK. */
export const tools = {
  post_to_slack: { name: 'Post to Slack', description: 'Posts a text to the #general channel.' },
}
