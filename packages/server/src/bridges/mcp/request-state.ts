import { HoldpointError } from '@holdpoint/core'
import type { Principal } from '../../base/principal.ts'
import { createVault, type VaultKey } from '../../security/vault.ts'

/** The state that a client carries from one round of a call to the next. It contains only ids and digests. */
export interface CallState {
  /** Names the call. It is random, so a call cannot be guessed. */
  call: string
  /** The digest of the arguments that the questions show. */
  args: string
  /** The question that the last round asked, and what its form showed. */
  asked?: { key: string; interactionId: string; shown: string }
}

/** Encrypts the state of a call for one user and one tool. */
export interface StateSeal {
  seal(state: CallState, principal: Principal, tool: string): string
  /** Decrypts a state. Throws unless this server sealed it for this user and this tool. */
  open(sealed: unknown, principal: Principal, tool: string): CallState
  /** Throws unless this server sealed the state for this user. */
  verify(sealed: string, principal: Principal): void
}

export function stateSeal(keys: readonly VaultKey[], randomBytes: (length: number) => Uint8Array): StateSeal {
  const vault = createVault(keys, randomBytes)
  const boundTo = ({ tenant = '', userId }: Principal) => ['mcp request state', tenant, userId]
  const read = (sealed: unknown, principal: Principal): { tool: string; state: CallState } => {
    try {
      const [keyId = '', iv = '', data = '', ...more] = String(sealed).split('.')
      if (more.length > 0) throw new Error('too many parts')
      const text = (part: string) => Buffer.from(part, 'base64url').toString('base64')
      const id = Buffer.from(keyId, 'base64url').toString('utf8')
      return JSON.parse(vault.open({ keyId: id, iv: text(iv), data: text(data) }, boundTo(principal)))
    } catch {
      throw invalidState()
    }
  }
  return {
    seal(state, principal, tool) {
      const { keyId, iv, data } = vault.seal(JSON.stringify({ tool, state }), boundTo(principal))
      return [Buffer.from(keyId), Buffer.from(iv, 'base64'), Buffer.from(data, 'base64')]
        .map((part) => part.toString('base64url'))
        .join('.')
    },
    open(sealed, principal, tool) {
      const { tool: sealedFor, state } = read(sealed, principal)
      if (sealedFor !== tool) throw invalidState()
      return state
    },
    verify(sealed, principal) {
      read(sealed, principal)
    },
  }
}

/** Returns the same error for every failed check, so that it does not reveal which one failed. */
function invalidState(): HoldpointError {
  return new HoldpointError(
    'invalid_request',
    'The requestState is not valid: it was changed, belongs to another user or tool, or its key was removed. Call the tool again without it.',
  )
}
