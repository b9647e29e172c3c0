import { holdpointTool } from '@holdpoint/server/ai-sdk'
import { z } from 'zod'

/** Waits a moment, then continues without an answer. The question stays open; the answer starts a new turn as a follow-up. */
export const askLater = holdpointTool({
  title: 'Ask you, without hurry',
  description: 'Asks the user for the color of the launch page without waiting for the answer.',
  inputSchema: z.object({}),
  execute: (_input, ctx) =>
    ctx.requestInteraction({
      type: 'input',
      prompt: 'Which color shall the launch page have? Take your time: I continue without it.',
      timeoutMs: Number(process.env.HOLDPOINT_LATER_MS ?? 8_000),
      whenUnavailable: 'wait',
      inputSchema: [{ id: 'colour', type: 'text', label: 'Color', required: true }],
      onResponse: (response) => ({ complete: response.action === 'submit' ? response.input : { colour: null } }),
      answerableLater: true,
      onTimeout: () => ({ pending: { message: 'The user was asked and will answer later.', queued: true } }),
    }),
})
