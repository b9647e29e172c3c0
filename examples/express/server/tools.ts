import type { Holdpoint } from '@holdpoint/server'
import { z } from 'zod'

/** The things that the tools of this example change. A real app has a disk, a mail server, a deployment. */
export interface World {
  slackUrl: string
}

/** The tools of the scripted agent. Each is registered, so that it continues after a crash. */
export function makeTools(holdpoint: Holdpoint, world: World) {
  const deleteFiles = holdpoint.tool({
    name: 'delete_files',
    input: z.object({ files: z.array(z.string()) }),
    async execute({ files }, ctx) {
      const { args, edited, scope } = await ctx.approve({
        rememberAs: (asked) => ['delete', asked.files],
        prompt: files.length === 1 ? `Delete ${files[0]}?` : `Delete ${files.length} files?`,
        labels: { approve: `Delete ${files.length} files`, deny: 'Keep files' },
        scopes: ['once', 'session', 'always'],
        risk: 'medium',
        facts: [{ label: 'Cannot be undone', tone: 'danger' }],
        args: { files },
        schema: z.object({ files: z.array(z.string()).min(1) }),
        editable: true,
      })
      for (const file of args.files) ctx.log(`deleted ${file}`)
      return { deleted: args.files, edited, scope }
    },
  })

  const askUser = holdpoint.tool({
    name: 'ask_user',
    input: z.object({ topic: z.string() }),
    async execute(_input, ctx) {
      return await ctx.ask({
        prompt: 'Three questions about your week',
        presentation: 'questionnaire',
        completedView: { showInputs: true },
        fields: [
          {
            id: 'mood',
            type: 'radio',
            label: 'How was it?',
            required: true,
            options: [
              { value: 'good', label: 'Good' },
              { value: 'mixed', label: 'Mixed' },
              { value: 'hard', label: 'Hard' },
            ],
          },
          { id: 'hours', type: 'integer', label: 'Hours of deep work', minimum: 0, maximum: 100, defaultValue: 12 },
          { id: 'note', type: 'textarea', label: 'Anything else?', maxLength: 500 },
        ],
      })
    },
  })

  const sendEmail = holdpoint.tool({
    name: 'send_email',
    input: z.object({ subject: z.string() }),
    async execute({ subject }, ctx) {
      return await ctx.requestInteraction({
        type: 'input',
        key: 'address',
        prompt: `Where should “${subject}” go?`,
        whenUnavailable: 'wait',
        labels: { submit: 'Send it', decline: 'Do not send' },
        inputSchema: [
          { id: 'email', type: 'email', label: 'E-mail address', required: true, autocomplete: 'email' },
          { id: 'copies', type: 'integer', label: 'Copies', minimum: 1, maximum: 5, defaultValue: 1 },
        ],
        onResponse(response) {
          if (response.action !== 'submit') return { complete: { sent: false } }
          const { email } = response.input
          // A rule that only the server knows: the same card asks again and keeps what was typed.
          if (!email.endsWith('@example.com')) {
            return {
              reprompt: {
                error: 'That address is not on the list.',
                fieldErrors: { email: ['Only addresses at example.com can be written to.'] },
                initialValues: response.input,
              },
            }
          }
          return { complete: { sent: true, to: email } }
        },
        onTimeout: () => ({ complete: { sent: false, reason: 'the question expired' } }),
      })
    },
  })

  const postToSlack = holdpoint.tool({
    name: 'post_to_slack',
    input: z.object({ text: z.string() }),
    async execute({ text }, ctx) {
      const { slack } = await ctx.connect({ integrations: ['slack'], reason: 'To post the summary.' })
      // `once`: a re-run after a crash does not post a second time.
      return await ctx.once('post', async () => {
        const response = await fetch(`${world.slackUrl}/api/chat.postMessage`, {
          method: 'POST',
          headers: { authorization: `Bearer ${await slack.token()}`, 'content-type': 'application/json' },
          body: JSON.stringify({ channel: '#general', text }),
        })
        return { posted: response.ok, channel: '#general' }
      })
    },
  })

  const writeReport = holdpoint.tool({
    name: 'write_report',
    input: z.object({}),
    async execute(_input, ctx) {
      const accounts = await ctx.connect({
        integrations: ['slack', 'gmail'],
        reason: 'To read what happened this week.',
      })
      return { read: Object.keys(accounts) }
    },
  })

  const deploy = holdpoint.tool({
    name: 'deploy',
    input: z.object({ service: z.string() }),
    async execute({ service }, ctx) {
      const image = await ctx.once('build', () => `${service}:4f2a9c`)
      ctx.log(`built ${image}`)
      const answer = await ctx.tryApprove({
        rememberAs: 'rollout',
        prompt: `${service} was deployed to staging. Take these changes to production?`,
        labels: { approve: 'Roll out', deny: 'Roll back' },
        diff: rollout(image),
      })
      return answer.outcome === 'approved'
        ? { image, production: true }
        : { image, production: false, reason: answer.outcome }
    },
  })

  const askLater = holdpoint.tool({
    name: 'ask_later',
    input: z.object({}),
    async execute(_input, ctx) {
      return await ctx.requestInteraction({
        type: 'input',
        prompt: 'Which color shall the launch page have? Take your time: I continue without it.',
        timeoutMs: Number(process.env.HOLDPOINT_LATER_MS ?? 8_000),
        whenUnavailable: 'wait',
        inputSchema: [{ id: 'colour', type: 'text', label: 'Color', required: true }],
        onResponse: (response) => ({ complete: response.action === 'submit' ? response.input : { colour: null } }),
        answerableLater: true,
        // The tool continues, and the question stays open. Its answer starts a new turn as a follow-up.
        onTimeout: () => ({ pending: { message: 'The person was asked and will answer later.', queued: true } }),
      })
    },
  })

  return { deleteFiles, askUser, sendEmail, postToSlack, writeReport, deploy, askLater }
}

const rollout = (image: string) => [
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
