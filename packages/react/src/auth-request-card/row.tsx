import { say } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'
import { useEffect } from 'react'
import { CardButton } from '../card/elements/button.tsx'
import { useCard } from '../card/elements/card-context.ts'
import { Icon } from '../card/elements/icon.tsx'
import { Part, type PartProps } from '../card/elements/part.tsx'
import type { CardView } from '../card/elements/use-view.ts'
import { hostOf, ISOLATE, nameText, POP } from '../wording/escape.ts'
import { infoOf, integrationName } from '../wording/names.ts'
import { authOf } from '../wording/question-text.ts'
import { Text } from '../wording/text.tsx'
import { type ConnectRow, type ConnectStatus, useConnecting } from './connect-context.ts'

/** One account: icon, name, state and actions. */
export function AuthRequestCardRow({ integration, ...props }: PartProps & { integration: string }) {
  const { row } = useConnecting()
  const { interaction, over, messages, integrations, announcer, view } = useCard()
  const info = infoOf(integrations, integration)
  const name = integrationName(integration, { integrations })
  const state = reachable(row(integration))
  const cause = (interaction && authOf(interaction)?.causes?.[integration]) ?? 'missing'
  const note =
    noteOf(state, cause, nameText(name), messages, isLost(view)) ??
    (info?.host && !over ? say(messages.opensHost, { host: info.host }) : '')
  const news = !over && (NEWS.has(state.status) || state.closed || state.notSent) ? note : ''
  useEffect(() => {
    if (news) announcer?.announce(news.replaceAll(ISOLATE, '').replaceAll(POP, ''))
  }, [announcer, news])
  return (
    <Part as="li" slotName="row" data-status={state.status} data-integration={integration} {...props}>
      <Icon name={integration} src={info?.icon} fallback={[...name][0]?.toUpperCase() ?? '?'} />
      <span className="hp-row-text">
        <span className="hp-row-name">
          <bdi>{name}</bdi>
        </span>
        {note ? (
          <span className="hp-row-note">
            <Text>{note}</Text>
          </span>
        ) : null}
      </span>
      <RowAction integration={integration} state={state} cause={cause} name={nameText(name)} />
    </Part>
  )
}

/** The states that are announced, because the user may be in another window when they occur. */
const NEWS: ReadonlySet<ConnectStatus> = new Set(['blocked', 'redirect', 'denied', 'wrong-account', 'failed'])

/** A row whose address is not a web address has failed. */
function reachable(state: ConnectRow): ConnectRow {
  const needsLink = state.status === 'blocked' || state.status === 'redirect'
  return needsLink && !(state.url && hostOf(state.url)) ? { status: 'failed' } : state
}

type Cause = 'missing' | 'expired' | 'scopes'

function RowAction({
  integration,
  state,
  cause,
  name,
}: {
  integration: string
  state: ConnectRow
  cause: Cause
  name: string
}) {
  const { start, finished, integrations, row } = useConnecting()
  const { over, view, messages } = useCard()
  const host = state.url ? hostOf(state.url) : null
  if (state.status === 'connected' || state.status === 'connected-fewer') return <Icon name="check" />
  if (over) return null
  // Only one button is primary: that of the first account that is not connected yet.
  const next = integration === integrations.find((each) => !row(each).status.startsWith('connected'))
  if ((state.status === 'blocked' || state.status === 'redirect') && host && state.url) {
    const stays = state.status === 'blocked'
    return (
      <Part asChild slotName="connect-link" className="hp-button" data-variant="primary">
        <a href={state.url} {...(stays ? { target: '_blank', rel: 'noopener noreferrer' } : { rel: 'noreferrer' })}>
          {say(messages.continueTo, { host })}
        </a>
      </Part>
    )
  }
  if (state.status === 'waiting' || state.status === 'checking') {
    return (
      <span className="hp-row-actions">
        <CardButton slotName="open-again" variant="quiet" blocked={!view.canAnswer} onPress={() => start(integration)}>
          {messages.openAgain}
        </CardButton>
        <CardButton
          slotName="finished"
          variant="secondary"
          blocked={!view.canAnswer || state.status === 'checking'}
          onPress={() => finished(integration)}
        >
          {messages.finished}
        </CardButton>
      </span>
    )
  }
  return (
    <CardButton
      slotName="connect"
      variant={next ? 'primary' : 'secondary'}
      blocked={!view.canAnswer || state.status === 'opening' || (!!state.notSent && isLost(view))}
      onPress={() => start(integration)}
    >
      <span>
        <Text>{say(buttonOf(state.status, cause, messages), { name })}</Text>
      </span>
    </CardButton>
  )
}

const isLost = ({ state }: Pick<CardView, 'state'>) => state === 'disconnected'

function buttonOf(status: ConnectStatus, cause: Cause, messages: Messages) {
  if (status === 'denied' || status === 'wrong-account' || status === 'failed') return messages.tryAgain
  if (cause === 'expired') return messages.reconnect
  return cause === 'scopes' ? messages.allowMore : messages.connect
}

function noteOf(
  { status, url, closed, notSent, isBack }: ConnectRow,
  cause: Cause,
  name: string,
  messages: Messages,
  lost: boolean,
): string | undefined {
  const host = url ? hostOf(url) : null
  switch (status) {
    case 'opening':
      return messages.connectOpening
    case 'waiting':
      if (notSent) return say(messages.unsent, { answer: messages.finished })
      if (closed) return say(messages.connectClosed, { name })
      return `${say(messages.connectWaiting, { name })}${host ? ` · ${nameText(host)}` : ''}`
    case 'checking':
      return messages.checking
    case 'blocked':
      return messages.connectBlocked
    case 'redirect':
      return messages.connectRedirect
    case 'denied':
      return say(messages.connectDenied, { name })
    case 'wrong-account':
      return say(messages.connectWrongAccount, { name })
    case 'failed':
      if (notSent && lost) return say(messages.connectUnsent, { name })
      if (notSent && isBack) return say(messages.connectBack, { name })
      if (notSent) return say(messages.unsent, { answer: say(messages.connect, { name }) })
      return say(messages.connectFailed, { name })
    case 'connected':
      return messages.connected
    case 'connected-fewer':
      return messages.connectedFewer
    default:
      if (cause === 'expired') return messages.causeExpired
      return cause === 'scopes' ? messages.causeScopes : undefined
  }
}
