import { holdpointTool } from '@holdpoint/server/ai-sdk'
import { z } from 'zod'

/** Needs two accounts; asks only for those that are missing. */
export const writeReport = holdpointTool({
  title: 'Write report',
  description: 'Writes the weekly report from what is in Slack and Gmail.',
  inputSchema: z.object({}),
  before: (_input, ctx) =>
    ctx.connect({ integrations: ['slack', 'gmail'], reason: 'To read what happened this week.' }),
  execute: (_input, { before: accounts }) => ({ read: Object.keys(accounts) }),
})
