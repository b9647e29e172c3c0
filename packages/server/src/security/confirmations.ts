import { HoldpointError, type HoldpointErrorCode } from '@holdpoint/core'
import { digestOf } from '../base/canonical-json.ts'
import type { Principal } from '../base/principal.ts'
import { changeRow, type RowDeps } from '../store/shared/change-row.ts'
import { hashOf, randomToken, sameText } from './hashes.ts'
import { confirmationRef, userPartition } from './keys.ts'
import type { Sealed, Vault } from './vault.ts'

export interface ConfirmationDeps extends RowDeps {
  vault: Vault
  /**
   * Milliseconds for which a confirmation is valid.
   *
   * @default 5 minutes
   */
  lifetimeMs?: number
}

interface ConfirmationRow {
  owner: string
  /** The digest of the action. The executed action must have the same. */
  digest: string
  action: Sealed
  until: number
  /** The id of the attempt that used the token. */
  usedBy?: string
}

export type Confirmations = ReturnType<typeof createConfirmations>

/**
 * Creates and redeems tokens with which one person may confirm exactly one action: 256 bits, five minutes, single use.
 * The token is stored as a hash and the action encrypted; both are bound to the person and to the action's digest.
 */
export function createConfirmations(deps: ConfirmationDeps) {
  const lifetimeMs = deps.lifetimeMs ?? 5 * 60 * 1000

  return {
    async create(principal: Principal, action: unknown): Promise<string> {
      const token = `confirm_${randomToken(deps.environment.randomBytes)}`
      const owner = userPartition(principal)
      const digest = digestOf(action)
      const sealed = deps.vault.seal(JSON.stringify(action), ['confirmation', owner, digest])
      await changeRow<ConfirmationRow, void>(deps, confirmationRef(await hashOf(token)), (_row, now) => {
        const until = now + lifetimeMs
        return { put: { owner, digest, action: sealed, until }, due: until, result: undefined }
      })
      return token
    },

    /**
     * Redeems the token and returns its action. `claimed` is the action that the caller is about to run, if known. If
     * it differs from the confirmed action, the token is rejected and stays valid.
     */
    async take(principal: Principal, token: string, claimed?: unknown): Promise<unknown> {
      const owner = userPartition(principal)
      const attempt = randomToken(deps.environment.randomBytes, 12)
      const row = await changeRow<ConfirmationRow, ConfirmationRow>(
        deps,
        confirmationRef(await hashOf(token)),
        (existing, now) => {
          if (!existing || !sameText(existing.owner, owner)) throw unknownToken()
          if (existing.usedBy === attempt) return { result: existing }
          if (existing.usedBy) throw refused('confirmation_used', 'It was used already. Ask again.')
          if (now >= existing.until) throw refused('confirmation_expired', 'Its five minutes have passed. Ask again.')
          if (claimed !== undefined && digestOf(claimed) !== existing.digest) {
            throw refused(
              'confirmation_mismatch',
              'This confirmation is for another action. Confirm the action that was shown, or ask again.',
            )
          }
          const used = { ...existing, usedBy: attempt }
          return { put: used, due: existing.until, result: used }
        },
      )
      return JSON.parse(deps.vault.open(row.action, ['confirmation', owner, row.digest]))
    },
  }
}

/** The same error for an unknown token and for a token of another user, so that it reveals nothing. */
const unknownToken = () => refused('confirmation_invalid', 'There is no such confirmation of yours.')

function refused(code: HoldpointErrorCode, why: string): HoldpointError {
  return new HoldpointError(code, `The confirmation cannot be used. ${why}`)
}
