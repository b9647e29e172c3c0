import { createHoldpointClient, type HoldpointClient, type Transport } from '@holdpoint/core'
import type { InboxPage } from '@holdpoint/core/internal'

import { type ReactNode, useMemo, useState } from 'react'
import { useInteraction } from '../hooks/use-interaction.ts'
import { InteractionView, type InteractionViewProps } from '../interaction-view/interaction-view.tsx'
import { HoldpointContext } from '../settings/context.ts'
import { useSettings } from '../settings/use-settings.ts'
import { useListFocus } from './use-list-focus.ts'

type Item = InboxPage['items'][number]

/** What `Inbox` shows, and how its answers are sent. */
export interface InboxProps {
  /** What `useInbox` found. */
  items: readonly Item[]
  /** How answers are sent: `sse({ url: '/holdpoint' })`. Nothing is streamed. */
  transport: Transport
  /** Where the conversation of an item is: makes a link to it. */
  hrefOf?: (item: Item) => string
  /**
   * The level of each question's heading. The default fits below the page's own first heading.
   *
   * @default 2
   */
  headingLevel?: InteractionViewProps['headingLevel']
  hasMore?: boolean
  onMore?: () => void
}

/**
 * What waits for this person, over all sessions; each can be answered right here.
 *
 * @example
 * const inbox = useInbox({ url: '/holdpoint' })
 * return <Inbox items={inbox.items} transport={transport} hrefOf={({ sessionId }) => `/chat/${sessionId}`} />
 */
export function Inbox({ items, transport, hrefOf, headingLevel = 2, hasMore = false, onMore }: InboxProps): ReactNode {
  const { messages, classNames } = useSettings()
  const { ref, onFocus, onBlur } = useListFocus(items)
  return (
    <section
      ref={ref}
      className={`hp-inbox ${classNames.inbox ?? ''}`}
      data-slot="inbox"
      aria-label={messages.inboxTitle}
      tabIndex={-1}
      onFocus={onFocus}
      onBlur={onBlur}
    >
      {items.length === 0 ? <p className="hp-inbox-empty">{messages.inboxEmpty}</p> : null}
      <ul className="hp-inbox-list">
        {items.map((item) => (
          <li key={`${item.sessionId} ${item.interaction.request.interactionId as string}`}>
            <Entry {...{ item, transport, headingLevel }} />
            {hrefOf ? (
              <a className="hp-inbox-link" href={hrefOf(item)}>
                {messages.inboxOpen}
              </a>
            ) : null}
          </li>
        ))}
      </ul>
      {hasMore && onMore ? (
        <button type="button" className="hp-button hp-inbox-more" onClick={onMore}>
          {messages.inboxMore}
        </button>
      ) : null}
    </section>
  )
}

/** One question with a client of its own session, which answers but does not listen. */
function Entry({ item, transport, headingLevel }: Pick<InboxProps, 'transport' | 'headingLevel'> & { item: Item }) {
  const settings = useSettings()
  const { clock } = settings
  const [client] = useState(() => clientFor(item, transport, clock.now))
  const value = useMemo(() => ({ ...settings, client }), [settings, client])
  return (
    <HoldpointContext.Provider value={value}>
      <Question id={idOf(item)} headingLevel={headingLevel} />
    </HoldpointContext.Provider>
  )
}

function Question({ id, headingLevel }: { id: string } & Pick<InboxProps, 'headingLevel'>) {
  return <InteractionView interaction={useInteraction(id)} headingLevel={headingLevel} />
}

const idOf = (item: Item) => String((item.interaction.request as { interactionId: string }).interactionId)

function clientFor(item: Item, transport: Transport, now: () => number): HoldpointClient {
  return createHoldpointClient({
    sessionId: item.sessionId,
    transport,
    autoConnect: false,
    environment: { now },
    initial: {
      snapshot: {
        cursor: '',
        serverTime: new Date(now()).toISOString(),
        you: { userId: '', can: ['respond', 'extend'] },
        runs: [],
        interactions: [item.interaction],
      },
    },
  })
}
