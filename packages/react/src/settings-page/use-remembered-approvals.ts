import { type SettingsOptions, useSettingsQuery } from './use-settings-query.ts'

/** An approval that covers later calls of a tool. */
export interface RememberedApproval {
  toolName: string
  /** The extent of the approval: the arguments, or the key that the tool chose. */
  key: unknown
  scope: 'once' | 'session' | 'always'
  approvedAt: string
  /** The session that it counts in, unless it counts in all. */
  sessionId?: string
}

const none: readonly RememberedApproval[] = []

/**
 * Returns the remembered approvals of this user, newest first, and a function that revokes one.
 *
 * @example const { approvals, revoke } = useRememberedApprovals({ url: '/holdpoint' })
 */
export function useRememberedApprovals(options: SettingsOptions) {
  const { data, change, ...query } = useSettingsQuery<{ approvals: RememberedApproval[] }>(options, '/approvals')
  return {
    ...query,
    approvals: data?.approvals ?? none,
    /** The user is asked again about this key of the tool, in all sessions. */
    revoke: ({ toolName, key }: Pick<RememberedApproval, 'toolName' | 'key'>) =>
      change('/approvals/revoke', { toolName, key }),
  }
}
