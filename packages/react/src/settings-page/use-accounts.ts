import type { IntegrationState } from '@holdpoint/core/internal'
import { useEffect } from 'react'
import { useSettings } from '../settings/context.ts'
import { type SettingsOptions, useSettingsQuery } from './use-settings-query.ts'

const none: Readonly<Record<string, IntegrationState>> = {}

/**
 * Returns the accounts that this user has connected, by service, and a function that disconnects one. Reads them again
 * after an account was connected in the session on the page.
 *
 * @example const { accounts, disconnect } = useAccounts({ url: '/holdpoint' })
 */
export function useAccounts(options: SettingsOptions) {
  const { client } = useSettings()
  const { data, change, ...query } = useSettingsQuery<{ accounts: Readonly<Record<string, IntegrationState>> }>(
    options,
    '/accounts',
  )
  const { refresh } = query
  useEffect(
    () =>
      client?.onEvent(({ type }) => {
        if (type === 'auth_progress' || type === 'auth_result') refresh()
      }),
    [client, refresh],
  )
  return {
    ...query,
    accounts: data?.accounts ?? none,
    /** Forgets one account of a service, or all of them. */
    disconnect: (integration: string, accountId?: string) =>
      change('/accounts/disconnect', { integration, ...(accountId !== undefined && { accountId }) }),
  }
}
