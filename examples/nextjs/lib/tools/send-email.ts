import { holdpointTool } from '@holdpoint/server/ai-sdk'
import { z } from 'zod'

/** A form whose answer only the server can judge: a bad address is asked for again, on the same card. */
export const sendEmail = holdpointTool({
  title: 'Send e-mail',
  description: 'Sends an e-mail. The user is asked for the address.',
  inputSchema: z.object({ subject: z.string() }),
  before: ({ subject }, ctx) =>
    ctx.requestInteraction({
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
        if (response.action !== 'submit') return { complete: null }
        const { email } = response.input
        if (email.endsWith('@example.com')) return { complete: email }
        return {
          reprompt: {
            error: 'That address is not on the list.',
            fieldErrors: { email: ['Only addresses at example.com can be written to.'] },
            initialValues: response.input,
          },
        }
      },
      onTimeout: () => ({ complete: null }),
    }),
  execute: (_input, { before: to }) => (to === null ? { sent: false } : { sent: true, to }),
})
