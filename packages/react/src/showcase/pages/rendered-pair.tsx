import type { Interaction } from '@holdpoint/core'
import { ApprovalDialog } from '../../approval-dialog/approval-dialog.tsx'
import { StoryFrame } from '../../testing/story-frame.tsx'
import '../showcase.css'

/** Two cards for the same request: as it should not be, and as it should be. */
export function RenderedPair(props: { dont: Interaction; do: Interaction; why: string }) {
  const sides = [
    ['Do not', props.dont],
    ['Do', props.do],
  ] as const
  return (
    <StoryFrame>
      <figure className="pair sb-unstyled">
        {sides.map(([title, interaction]) => (
          <div key={title} data-side={title}>
            <p className="pair-title">{title}</p>
            <ApprovalDialog interaction={interaction} headingLevel={4} />
          </div>
        ))}
        <figcaption>{props.why}</figcaption>
      </figure>
    </StoryFrame>
  )
}
