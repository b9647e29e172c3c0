import type { IntegrationState } from '@holdpoint/core/internal'
import { say } from '@holdpoint/core/internal'
import type { ReactNode } from 'react'
import { usePageWords } from '../settings/use-page-words.ts'
import { useSettings } from '../settings/use-settings.ts'
import { nameText, visible } from '../wording/escape.ts'
import { integrationName } from '../wording/names.ts'
import { Text } from '../wording/text.tsx'
import type { SettingsProps } from './remembered-approvals.tsx'
import { Section, useChanges } from './section.tsx'
import { useAccounts } from './use-accounts.ts'

/**
 * Lists the accounts that the assistant can use, with their permissions, and a button to disconnect each.
 *
 * @example
 * <ConnectedAccounts url="/holdpoint" />
 */
export function ConnectedAccounts({ headingLevel, ...options }: SettingsProps): ReactNode {
  const { integrations } = useSettings()
  const words = usePageWords()
  const { accounts, disconnect, ...query } = useAccounts(options)
  const changes = useChanges()
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
            onDisconnect={() => changes.run(() => disconnect(id), say(words.disconnected, { name }))}
          />
        )
      })}
    </Section>
  )
}

function Account({
  name,
  account,
  isBusy,
  onDisconnect,
}: {
  name: string
  account: IntegrationState
  isBusy: boolean
  onDisconnect: () => void
}) {
  const words = usePageWords()
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
      {connected || reconnect ? (
        <button type="button" className="hp-button" aria-disabled={isBusy || undefined} onClick={onDisconnect}>
          <Text>{say(words.disconnect, { name })}</Text>
        </button>
      ) : null}
    </li>
  )
}

/** Returns the name or address by which a person recognizes the account. */
function userOf({ user }: IntegrationState): string | undefined {
  const { email, name, username } = (user ?? {}) as Record<string, unknown>
  const [known] = [email, name, username].filter((one): one is string => typeof one === 'string' && one !== '')
  return known
}
