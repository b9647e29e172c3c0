import { HoldpointError, type HoldpointErrorCode } from '@holdpoint/core'
import { digestOf } from '../base/canonical-json.ts'
import type { Principal } from '../base/principal.ts'
import { changeRow, type RowDeps } from '../store/shared/change-row.ts'
import { hashOf, randomToken, sameText } from './hashes.ts'
import { confirmationRef, userPartition } from './keys.ts'
import type { Sealed, Vault } from './vault.ts'

export interface ConfirmationDeps extends RowDeps {
  vault: Vault
  /** How long a yes is waited for; 5 minutes unless given. */
  lifetimeMs?: number
}

interface ConfirmationRow {
  owner: string
  /** Of the action that will be done; what is done must still have it. */
  digest: string
  action: Sealed
  until: number
  /** Which attempt used it up. */
  usedBy?: string
}

export type Confirmations = ReturnType<typeof createConfirmations>

/**
 * Tokens that stand for "this person may still say yes to exactly this": 256 bits, five minutes, once. The token is
 * stored as a hash, the action encrypted; both are bound to the person and to the action's digest.
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
     * Uses the token up, and gives what it stood for. `claimed` is what the caller is about to do, when it says so
     * itself: anything else than what was shown leaves the token unused and is refused.
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
          if (now >= existing.until) throw refused('confirmation_expired', 'Its five minutes are over. Ask again.')
          if (claimed !== undefined && digestOf(claimed) !== existing.digest) {
            throw refused(
              'confirmation_mismatch',
              'It was given for another action. Confirm what was shown, or ask again.',
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

/** One text for what never was and for what is somebody else's. */
const unknownToken = () => refused('confirmation_invalid', 'There is no such confirmation of yours.')

function refused(code: HoldpointErrorCode, why: string): HoldpointError {
  return new HoldpointError(code, `The confirmation cannot be used. ${why}`)
}
