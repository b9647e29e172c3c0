import { readAuthReturn } from '@holdpoint/core'
import type { AuthReturn, IntegrationState } from '@holdpoint/core/internal'
import { say } from '@holdpoint/core/internal'
import { type ReactNode, useEffect, useState } from 'react'
import { usePageWords } from '../settings/use-page-words.ts'
import { useSettings } from '../settings/use-settings.ts'
import { nameText, visible } from '../wording/escape.ts'
import { integrationName } from '../wording/names.ts'
import { Text } from '../wording/text.tsx'
import type { SettingsProps } from './remembered-approvals.tsx'
import { Section, useChanges } from './section.tsx'
import { useAccounts } from './use-accounts.ts'

/**
 * Lists the accounts that the assistant can use, with their permissions, and buttons to connect and disconnect each. To
 * connect, the person leaves the page for the page of the service, and returns to this page.
 *
 * @example
 * <ConnectedAccounts url="/holdpoint" />
 */
export function ConnectedAccounts({ headingLevel, ...options }: SettingsProps): ReactNode {
  const { integrations } = useSettings()
  const words = usePageWords()
  const { accounts, connect, disconnect, ...query } = useAccounts(options)
  const changes = useChanges()
  useReturn(query.status === 'success' ? accounts : undefined, changes.say)
  return (
    <Section
      {...{ query, headingLevel, notice: changes, slotName: 'connected-accounts' }}
      {...{ title: words.accountsTitle, text: words.accountsText, empty: words.accountsEmpty }}
    >
      {Object.entries(accounts).map(([id, account]) => {
        const name = nameText(integrationName(id, { integrations }))
        return (
          <Account
            key={id}
            {...{ name, account, isBusy: changes.isBusy }}
            onConnect={() => changes.run(() => connect(id), '')}
            onDisconnect={() => changes.run(() => disconnect(id), say(words.disconnected, { name }))}
          />
        )
      })}
    </Section>
  )
}

/** Says once how the visit at a service ended. Only the server's list counts for "connected". */
function useReturn(accounts: Readonly<Record<string, IntegrationState>> | undefined, announce: (text: string) => void) {
  const { messages, integrations } = useSettings()
  const [returned, setReturned] = useState<AuthReturn | null>(null)
  useEffect(() => setReturned((before) => before ?? takeReturn()), [])
  useEffect(() => {
    if (!returned || !accounts) return
    setReturned(null)
    const { integration, error } = returned
    const name = nameText(integrationName(integration, { integrations }))
    if (accounts[integration]?.connected && returned.outcome.startsWith('connected')) {
      announce(`${name}: ${messages.connected}`)
    } else if (error) {
      announce(say(returned.outcome === 'denied' ? messages.connectDenied : messages.connectFailed, { name }))
    }
  }, [returned, accounts, announce, messages, integrations])
}

/**
 * Takes the report of a service out of the address of this page, so that a reload or a copied address does not repeat
 * it. `useAuthReturn` takes the reports for runs.
 */
function takeReturn(): AuthReturn | null {
  const returned = readAuthReturn(window.location.href)
  if (!returned || returned.generationId) return null
  window.history.replaceState(window.history.state, '', returned.cleanUrl)
  return returned
}

function Account({
  name,
  account,
  isBusy,
  onConnect,
  onDisconnect,
}: {
  name: string
  account: IntegrationState
  isBusy: boolean
  onConnect: () => void
  onDisconnect: () => void
}) {
  const words = usePageWords()
  const { messages } = useSettings()
  const { connected, reconnect, scopes } = account
  const user = userOf(account)
  const state = connected
    ? user && say(words.accountUser, { user: nameText(visible(user)) })
    : reconnect
      ? words.accountExpired
      : words.accountNotConnected
  return (
    <li className="hp-settings-row" data-connected={connected}>
      <div className="hp-settings-what">
        <strong>
          <Text>{name}</Text>
        </strong>
        {state ? (
          <p className="hp-note">
            <Text>{state}</Text>
          </p>
        ) : null}
        {connected && scopes?.length ? (
          <p className="hp-note">{say(words.accountScopes, { scopes: visible(scopes.join(', ')) })}</p>
        ) : null}
      </div>
      <div className="hp-settings-actions">
        {connected ? null : (
          <button type="button" className="hp-button" aria-disabled={isBusy || undefined} onClick={onConnect}>
            <Text>{say(reconnect ? messages.reconnect : messages.connect, { name })}</Text>
          </button>
        )}
        {connected || reconnect ? (
          <button type="button" className="hp-button" aria-disabled={isBusy || undefined} onClick={onDisconnect}>
            <Text>{say(words.disconnect, { name })}</Text>
          </button>
        ) : null}
      </div>
    </li>
  )
}

/** Returns the name or address by which a person recognizes the account. */
function userOf({ user }: IntegrationState): string | undefined {
  const { email, name, username } = (user ?? {}) as Record<string, unknown>
  const [known] = [email, name, username].filter((one): one is string => typeof one === 'string' && one !== '')
  return known
}
