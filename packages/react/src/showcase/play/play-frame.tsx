import type { HoldpointClient } from '@holdpoint/core'
import { Fragment, type ReactNode, useState } from 'react'
import { useSettings } from '../../settings/context.ts'
import { HoldpointProvider } from '../../settings/provider.tsx'
import { renderers } from '../../testing/previewed.ts'
import { integrations, tools } from '../../testing/story-frame.tsx'
import '../showcase.css'

/** The reports of the mock agent, oldest first. */
export interface Report {
  lines: readonly string[]
  note: (line: string) => void
}

export function useReport(): Report {
  const [lines, setLines] = useState<readonly string[]>([])
  return { lines, note: (line) => setLines((before) => [...before, line]) }
}

/** A card that plays, and beside it what the agent receives. */
export function PlayFrame(props: {
  client: HoldpointClient | null
  report: Report
  onAgain: () => void
  children: ReactNode
}) {
  const { messages, locale } = useSettings()
  if (!props.client) return null
  return (
    <HoldpointProvider
      client={props.client}
      allowFramed
      draftStorage={null}
      locale={locale}
      integrations={integrations}
      tools={tools}
      renderers={renderers}
      {...(messages ? { messages } : {})}
    >
      <div className="play">
        <div>{props.children}</div>
        <aside className="play-report" aria-label="What the agent receives" lang="en" dir="ltr">
          <h2>What the agent receives</h2>
          {props.report.lines.length === 0 && <p>Nothing yet: the tool waits for an answer.</p>}
          <ol aria-live="off">
            {props.report.lines.map((line, at) => (
              <li key={at}>
                <code>{line}</code>
              </li>
            ))}
          </ol>
          {props.report.lines.length > 0 && (
            <button type="button" onClick={props.onAgain}>
              Play again
            </button>
          )}
        </aside>
      </div>
    </HoldpointProvider>
  )
}

/** Restarts its content when the controls change, and on request. */
export function Replayed({ of, children }: { of: unknown; children: (again: () => void) => ReactNode }) {
  const [round, setRound] = useState(0)
  return <Fragment key={`${round} ${JSON.stringify(of)}`}>{children(() => setRound(round + 1))}</Fragment>
}
