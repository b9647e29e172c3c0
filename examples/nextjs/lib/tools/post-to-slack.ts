import { holdpointTool } from '@holdpoint/server/ai-sdk'
import { z } from 'zod'
import { servicesUrl } from '../services.ts'

/** Needs one account. The token is fetched when it is used, and never recorded. */
export const postToSlack = holdpointTool({
  title: 'Post to Slack',
  description: 'Posts a text to the #general channel.',
  inputSchema: z.object({ text: z.string() }),
  before: (_input, ctx) => ctx.connect({ integrations: ['slack'], reason: 'to post the summary' }),
  // `once`: what runs again after a crash does not post a second time.
  execute: ({ text }, { before: { slack }, once }) =>
    once('post', async () => {
      const response = await fetch(`${servicesUrl}/api/chat.postMessage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await slack.token()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ channel: '#general', text }),
      })
      return { posted: response.ok, channel: '#general' }
    }),
})
