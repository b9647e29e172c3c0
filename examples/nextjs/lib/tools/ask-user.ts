import { holdpointTool } from '@holdpoint/server/ai-sdk'
import { z } from 'zod'

/** A form of a few questions. */
export const askUser = holdpointTool({
  title: 'Ask you',
  description: 'Asks the user how their week was.',
  inputSchema: z.object({ topic: z.string() }),
  before: (_input, ctx) =>
    ctx.ask({
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
    }),
  execute: (_input, { before: answers }) => answers,
})
