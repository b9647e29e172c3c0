/** The report of a service in the address of a settings page. It is only a hint: any page can write such an address. */
export interface AccountReturn {
  integration: string
  /** The code of the failure, for example `access_denied`. */
  error?: string
}

/**
 * Takes the report out of the address of this page, so that a reload or a copied address does not repeat it. Returns null
 * without a report, and if a run waits for the account: `useAuthReturn` handles that.
 */
export function takeAccountReturn({ location, history }: Pick<Window, 'location' | 'history'>): AccountReturn | null {
  const url = new URL(location.href)
  const { searchParams } = url
  const [complete, failed] = [searchParams.get('auth_complete'), searchParams.get('auth_failed')]
  const integration = complete ?? failed
  if (!integration || searchParams.has('generation_id')) return null
  const error = complete === null ? (searchParams.get('auth_error') ?? 'failed') : undefined
  for (const name of ['auth_complete', 'auth_failed', 'auth_error', 'flow_id']) searchParams.delete(name)
  history.replaceState(history.state, '', url)
  return { integration, ...(error !== undefined && { error }) }
}
