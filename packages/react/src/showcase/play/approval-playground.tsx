import type { Interaction } from '@holdpoint/core'
import { ApprovalDialog } from '../../approval-dialog/approval-dialog.tsx'
import { ToolInteraction } from '../../interaction-view/tool-interaction.tsx'
import { approval } from '../../testing/interactions.ts'
import { everyState } from '../../testing/states.ts'
import { StoryFrame } from '../../testing/story-frame.tsx'
import { PlayFrame, Replayed, useReport } from './play-frame.tsx'
import { type Sample, type SampleName, samples } from './samples.ts'
import { SESSION, useMockPage } from './use-mock-page.ts'

/** One control for each thing that an application decides about an approval. */
export interface ApprovalControls {
  sample: SampleName
  prompt: string
  agent: string
  risk: 'low' | 'medium' | 'high' | 'not given'
  facts: boolean
  scopes: 'once' | 'once, session' | 'once, session, always'
  editable: boolean
  secondsLeft: number
  viewer: 'owner' | 'may not answer' | 'signed out'
  state: string
}

export function ApprovalPlayground(controls: ApprovalControls) {
  const asked = question(controls)
  if (controls.state !== 'plays' || controls.viewer !== 'owner') return <Still asked={asked} controls={controls} />
  return <Replayed of={controls}>{(again) => <Playing asked={asked} controls={controls} onAgain={again} />}</Replayed>
}

function question({ sample, prompt, agent, risk, facts, scopes, editable }: ApprovalControls) {
  const chosen: Sample = samples[sample]
  return {
    toolName: chosen.toolName,
    prompt: prompt || chosen.prompt,
    requester: { name: agent },
    labels: { approve: chosen.approve, deny: chosen.deny },
    ...(chosen.args === undefined ? {} : { args: chosen.args, editable }),
    ...(chosen.diff ? { diff: chosen.diff } : {}),
    ...(risk === 'not given' ? {} : { risk }),
    ...(facts ? { facts: [{ label: 'Cannot be undone', tone: 'danger' as const }] } : {}),
    scopes: scopes.split(', ') as ('once' | 'session' | 'always')[],
  }
}

type Asked = ReturnType<typeof question>

function Playing({ asked, controls, onAgain }: { asked: Asked; controls: ApprovalControls; onAgain: () => void }) {
  const report = useReport()
  const { toolName, ...options } = asked
  const client = useMockPage((mock) => {
    void mock.call({
      sessionId: SESSION,
      toolName,
      async execute(ctx) {
        const time = controls.secondsLeft > 0 ? { timeoutMs: controls.secondsLeft * 1_000 } : {}
        const end = await ctx.tryApprove({ ...options, ...time })
        report.note(JSON.stringify(end, null, 2))
        if (end.outcome !== 'approved') return end
        for (const done of [1, 2, 3]) {
          await ctx.log(`Step ${done} of 3`)
          await new Promise((resolve) => setTimeout(resolve, 700))
        }
        report.note('The tool ran once.')
        return { done: true }
      },
    })
  })
  return (
    <PlayFrame client={client} report={report} onAgain={onAgain}>
      <ToolInteraction toolCallId={`call-${toolName}`} />
    </PlayFrame>
  )
}

/** A state that the card shows by its props alone. */
function Still({ asked, controls }: { asked: Asked; controls: ApprovalControls }) {
  const { toolName, scopes, ...request } = asked
  const shown = approval({ toolName, request: { args: undefined, ...request, approvalScopes: scopes } as never })
  const timed: Interaction = controls.secondsLeft > 0 ? withTime(shown, controls.secondsLeft) : shown
  const states = everyState(timed, { action: 'approve', approvalScope: scopes.at(-1)! })
  const viewer = {
    owner: {},
    'may not answer': { mayAnswer: false },
    'signed out': { connection: 'unauthorized' as const },
  }[controls.viewer]
  const props = (controls.state === 'plays' ? undefined : states[controls.state]) ?? { interaction: timed }
  return (
    <StoryFrame>
      <ApprovalDialog {...props} {...viewer} />
    </StoryFrame>
  )
}

function withTime(interaction: Interaction, seconds: number): Interaction {
  const expiresAt = Date.parse(interaction.request.timestamp) + seconds * 1_000
  return { ...interaction, expiresAt }
}
