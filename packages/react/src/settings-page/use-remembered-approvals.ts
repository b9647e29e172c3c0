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

interface Approvals {
  approvals: RememberedApproval[]
}

/** Joins two pages. Each has its newest approval first, and an approval of a later page can be newer. */
const newestFirst = (all: Approvals, page: Approvals): Approvals => ({
  approvals: [...all.approvals, ...page.approvals].sort((one, other) => (one.approvedAt < other.approvedAt ? 1 : -1)),
})

const none: readonly RememberedApproval[] = []

/**
 * Returns the remembered approvals of this user, newest first, and a function that revokes one.
 *
 * @example const { approvals, revoke } = useRememberedApprovals({ url: '/holdpoint' })
 */
export function useRememberedApprovals(options: SettingsOptions) {
  const { data, change, ...query } = useSettingsQuery<Approvals>(options, '/approvals', newestFirst)
  return {
    ...query,
    approvals: data?.approvals ?? none,
    /** The user is asked again about this key of the tool, in all sessions. */
    revoke: ({ toolName, key }: Pick<RememberedApproval, 'toolName' | 'key'>) =>
      change('/approvals/revoke', { toolName, key }),
  }
}
