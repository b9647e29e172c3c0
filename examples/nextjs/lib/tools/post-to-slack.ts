import { holdpointTool } from '@holdpoint/server/ai-sdk'
import { withPolicy } from '@holdpoint/server/tools'
import { z } from 'zod'
import { servicesUrl } from '../services.ts'

/** Needs one account, whose token is fetched when it is used and never recorded. Each user chooses in Settings whether it asks first. */
export const postToSlack = holdpointTool(
  withPolicy(
    {
      title: 'Post to Slack',
      description: 'Posts a text to the #general channel.',
      inputSchema: z.object({ text: z.string() }),
      async execute({ text }, ctx) {
        const { slack } = await ctx.connect({ integrations: ['slack'], reason: 'To post the summary.' })
        // `once`: what runs again after a crash does not post a second time.
        return await ctx.once('post', async () => {
          const response = await fetch(`${servicesUrl}/api/chat.postMessage`, {
            method: 'POST',
            headers: { authorization: `Bearer ${await slack.token()}`, 'content-type': 'application/json' },
            body: JSON.stringify({ channel: '#general', text }),
          })
          return { posted: response.ok, channel: '#general' }
        })
      },
    },
    {
      mode: 'auto',
      choices: { auto: 'auto', ask: 'confirm_before_execution' },
      confirm: () => ({ prompt: 'Post this to #general?', labels: { approve: 'Post it', deny: 'Do not post' } }),
    },
  ),
)
