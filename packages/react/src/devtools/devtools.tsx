import type { HoldpointClient } from '@holdpoint/core'
import { useId, useRef, useState } from 'react'
import { useSettings } from '../settings/context.ts'
import { Panel } from './panel.tsx'
import { useRecorders } from './use-recordings.ts'

/** The sessions that `HoldpointDevtools` watches, and its initial state. */
export interface HoldpointDevtoolsProps {
  /**
   * The sessions to watch.
   *
   * @default the client of the nearest provider
   */
  clients?: readonly HoldpointClient[]
  /** @default false */
  initialIsOpen?: boolean
  /**
   * `page` fixes the panel to the lower edge of the window, `inline` puts it where the component is.
   *
   * @default 'page'
   */
  placement?: 'page' | 'inline'
}

/**
 * A panel for developers: sessions, questions with their states, the event log with replay, times and the connection.
 * Import it behind a check of your build, so that users do not load it. Its texts are English.
 *
 * @example
 * const Devtools = lazy(() => import('@holdpoint/react/devtools').then((all) => ({ default: all.HoldpointDevtools })))
 * // inside of the provider
 * {import.meta.env.DEV ? <Suspense><Devtools /></Suspense> : null}
 */
export function HoldpointDevtools({ clients, initialIsOpen = false, placement = 'page' }: HoldpointDevtoolsProps) {
  const { client, clock } = useSettings()
  const [isOpen, setIsOpen] = useState(initialIsOpen)
  const recorders = useRecorders(clients ?? (client ? [client] : []), clock.now)
  const toggle = useRef<HTMLButtonElement>(null)
  const id = useId()
  const close = () => {
    setIsOpen(false)
    toggle.current?.focus()
  }
  return (
    <div className="hp-devtools" data-slot="devtools" data-placement={placement} lang="en">
      <button
        ref={toggle}
        type="button"
        className="hp-devtools-toggle"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        Holdpoint devtools
      </button>
      {isOpen ? <Panel id={id} recorders={recorders} onClose={close} /> : null}
    </div>
  )
}
