import type { Interaction, SessionState } from '@holdpoint/core'
import { useMemo } from 'react'
import { InteractionView } from '../../interaction-view/interaction-view.tsx'
import { HoldpointContext, useSettings } from '../../settings/context.ts'

/** The card of a question at the replayed moment. It can be read and not answered. */
export function PreviewCard(props: { interaction: Interaction; state: SessionState; isLive: boolean }) {
  const { interaction, state, isLive } = props
  const settings = useSettings()
  // Without a client nothing is sent, and without an announcer nothing is announced a second time.
  const quiet = useMemo(() => ({ ...settings, client: null, announcer: null, drafts: null }), [settings])
  const callStatus = state.toolCalls.get(interaction.toolCallId)?.status
  return (
    <div className="hp-devtools-preview" data-slot="devtools-preview">
      <p>{isLive ? 'The card now (read-only)' : 'The card at this event (read-only)'}</p>
      <HoldpointContext.Provider value={quiet}>
        {/* The panel is English; the card has the direction of the page. */}
        <div dir={settings.dir ?? (document.documentElement.dir || 'ltr')}>
          <InteractionView
            interaction={interaction}
            interactive={false}
            {...(callStatus === undefined ? {} : { callStatus })}
          />
        </div>
      </HoldpointContext.Provider>
    </div>
  )
}
