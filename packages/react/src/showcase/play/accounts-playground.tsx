import { ToolInteraction } from '../../interaction-view/tool-interaction.tsx'
import { PlayFrame, Replayed, useReport } from './play-frame.tsx'
import { SESSION, useMockPage } from './use-mock-page.ts'

export interface AccountControls {
  reason: string
  slack: boolean
  gmail: boolean
  calendar: boolean
  result: 'connected' | 'denied' | 'never'
}

export function AccountsPlayground(controls: AccountControls) {
  return <Replayed of={controls}>{(again) => <Playing {...controls} onAgain={again} />}</Replayed>
}

function Playing({ reason, slack, gmail, calendar, result, onAgain }: AccountControls & { onAgain: () => void }) {
  const report = useReport()
  const wanted = { slack, gmail, 'google-calendar': calendar }
  const integrations = Object.entries(wanted).flatMap(([name, on]) => (on ? [name] : []))
  const client = useMockPage(
    (mock) => {
      void mock.call({
        sessionId: SESSION,
        toolName: 'post_summary',
        async execute(ctx) {
          if (integrations.length === 0) return report.note('Nothing is asked: no account is needed.')
          const end = await ctx.tryConnect({ integrations, reason })
          report.note(JSON.stringify({ outcome: end.outcome }, null, 2))
        },
      })
    },
    { connectResult: result },
  )
  return (
    <PlayFrame client={client} report={report} onAgain={onAgain}>
      <ToolInteraction toolCallId="call-post_summary" />
    </PlayFrame>
  )
}
