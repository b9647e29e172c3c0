import { HoldpointError } from '@holdpoint/core'
import type { Vault } from '../security/vault.ts'

/**
 * Creates a vault that keeps secrets in this page's memory instead of encrypting them. A store that survives the page
 * contains only their ids.
 */
export function mockCipher(): Vault {
  const secrets = new Map<string, string>()
  return {
    seal(text) {
      const data = crypto.randomUUID()
      secrets.set(data, text)
      return { keyId: 'mock', iv: '', data }
    },
    open({ data }) {
      const text = secrets.get(data)
      if (text !== undefined) return text
      throw new HoldpointError('vault_mismatch', 'The mock server forgets secrets when its page is left. Ask again.')
    },
    outdated: () => false,
  }
}
