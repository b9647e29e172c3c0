import type { IntegrationState } from '@holdpoint/core/internal'
import { isSafeAddress } from '@holdpoint/core/internal/connect'
import { useEffect } from 'react'
import { useSettings } from '../settings/context.ts'
import { type SettingsOptions, useSettingsQuery } from './use-settings-query.ts'

const none: Readonly<Record<string, IntegrationState>> = {}

/**
 * Returns the accounts that this user has connected, by service, and functions that connect and disconnect one. Reads them
 * again after an account was connected in the session on the page.
 *
 * @example const { accounts, connect, disconnect } = useAccounts({ url: '/holdpoint' })
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
    /** Leaves the page for the page of a service on which the user connects an account, or connects it again. */
    async connect(integration: string, returnTo = window.location.href) {
      const { url } = (await change('/accounts/connect', { integration, returnTo })) as { url?: unknown }
      if (typeof url !== 'string' || !isSafeAddress(url)) {
        throw new Error(
          `The account "${integration}" cannot be connected here: the server sent no address of the service`,
        )
      }
      window.location.assign(url)
    },
    /** Forgets one account of a service, or all of them. */
    disconnect: (integration: string, accountId?: string) =>
      change('/accounts/disconnect', { integration, ...(accountId !== undefined && { accountId }) }),
  }
}
