import { holdpointTool } from '@holdpoint/server/ai-sdk'
import { z } from 'zod'

/** Works first, asks then: the diff shows what was made of it. */
export const deploy = holdpointTool({
  title: 'Deploy',
  description: 'Deploys a service to staging, and to production if the user takes the changes.',
  inputSchema: z.object({ service: z.string() }),
  execute: async ({ service }, ctx) => {
    const image = await ctx.once('build', () => `${service}:4f2a9c`)
    ctx.log(`built ${image}`)
    ctx.log('deployed to staging')
    const answer = await ctx.tryApprove({
      rememberAs: 'rollout',
      prompt: `${service} was deployed to staging. Take these changes to production?`,
      labels: { approve: 'Roll out', deny: 'Roll back' },
      diff: changesFor(image),
    })
    return { image, production: answer.outcome === 'approved' }
  },
})

const changesFor = (image: string) => [
  {
    path: 'deploy/production.yaml',
    status: 'modified' as const,
    hunks: [
      {
        id: 'image',
        oldStart: 8,
        newStart: 8,
        lines: ['   containers:', '     - name: web', '-      image: web:91be03', `+      image: ${image}`],
      },
      {
        id: 'replicas',
        oldStart: 21,
        newStart: 21,
        lines: [' scaling:', '-  replicas: 2', '+  replicas: 4', '   maxSurge: 1'],
      },
    ],
  },
]
