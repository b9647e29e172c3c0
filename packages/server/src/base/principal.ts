/** The authenticated user, as the host's session library returned it. */
export interface Principal {
  userId: string
  /** Separates customers: remembered approvals, accounts and sessions of one tenant are invisible to another. */
  tenant?: string
  /** Shown to others: "Ada answered this". */
  name?: string
}
