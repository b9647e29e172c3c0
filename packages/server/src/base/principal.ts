/** The authenticated user, as the host's session library returned it. */
export interface Principal {
  userId: string
  /** Separates customers: remembered approvals, accounts and sessions of one tenant are invisible to another. */
  tenant?: string
  /** The name that other users see: "Ada answered this". */
  name?: string
}
