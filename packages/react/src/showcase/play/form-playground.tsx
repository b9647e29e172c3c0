import type { InputField } from '@holdpoint/core'
import { ToolInteraction } from '../../interaction-view/tool-interaction.tsx'
import { allFields } from '../../testing/interactions.ts'
import { PlayFrame, Replayed, useReport } from './play-frame.tsx'
import { SESSION, useMockPage } from './use-mock-page.ts'

export interface FormControls {
  prompt: string
  agent: string
  fields: 'two fields' | 'every field type'
  askAgainOnce: boolean
}

const report: InputField[] = [
  { id: 'email', type: 'email', label: 'E-mail', required: true },
  { id: 'copies', type: 'integer', label: 'Copies', minimum: 1, maximum: 20, defaultValue: 1 },
]

export function FormPlayground(controls: FormControls) {
  return <Replayed of={controls}>{(again) => <Playing {...controls} onAgain={again} />}</Replayed>
}

function Playing({ prompt, agent, fields, askAgainOnce, onAgain }: FormControls & { onAgain: () => void }) {
  const received = useReport()
  const client = useMockPage((mock) => {
    void mock.call({
      sessionId: SESSION,
      toolName: 'send_report',
      execute: (ctx) =>
        ctx.requestInteraction({
          type: 'input',
          prompt,
          requester: { name: agent },
          inputSchema: { type: 'form', fields: fields === 'two fields' ? report : allFields },
          onResponse(response, { attempt }) {
            received.note(JSON.stringify({ action: response.action, input: response.input }, null, 2))
            if (response.action !== 'submit' || !askAgainOnce || attempt > 1) return { complete: response }
            return { reprompt: { fieldErrors: { email: ['No mail server answers for this address.'] } } }
          },
        }),
    })
  })
  return (
    <PlayFrame client={client} report={received} onAgain={onAgain}>
      <ToolInteraction toolCallId="call-send_report" />
    </PlayFrame>
  )
}
