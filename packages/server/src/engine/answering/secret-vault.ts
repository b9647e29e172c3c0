import { HoldpointError } from '@holdpoint/core'
import type { Environment } from '../../base/environment.ts'
import { type Vault as Cipher, createVault, type VaultKey } from '../../security/vault.ts'
import type { Execution } from '../calls/execution.ts'
import { randomId } from '../records/keys.ts'
import type { SecretRow } from '../state/rows.ts'
import type { AnsweringKernel } from './answering-kernel.ts'

export type { VaultKey }

const PREFIX = 'secret:'

/** Stores the values of `secret` fields, encrypted. They are useless without the keys, and in any other session. */
export class SecretVault {
  readonly #environment: Environment
  readonly #cipher: Cipher | undefined

  constructor(environment: Environment, keys: readonly VaultKey[] | Cipher = []) {
    this.#environment = environment
    if ('seal' in keys) this.#cipher = keys
    else this.#cipher = keys.length > 0 ? createVault(keys, environment.randomBytes) : undefined
  }

  /** Throws before a secret is asked for if it could not be stored. */
  assertUsable(why = 'A form with a `secret` field needs a key to encrypt what is typed.'): Cipher {
    if (this.#cipher) return this.#cipher
    throw new HoldpointError(
      'vault_keys_missing',
      `${why} Pass security: { vaultKeys: [{ id: "1", key: <32 random bytes, base64> }] } to createHoldpoint.`,
    )
  }

  seal(partition: string, secret: string): { id: string; reference: string; row: SecretRow } {
    const cipher = this.assertUsable()
    const id = randomId(this.#environment)
    return { id, reference: `${PREFIX}${id}`, row: cipher.seal(secret, boundTo(partition, id)) }
  }

  open(partition: string, id: string, row: SecretRow): string {
    return this.assertUsable().open(row, boundTo(partition, id))
  }
}

const boundTo = (partition: string, id: string) => ['secret', partition, id]

/** Returns the row id in a reference, or null if the text is not a reference. */
export function secretId(reference: string): string | null {
  return reference.startsWith(PREFIX) && reference.length > PREFIX.length ? reference.slice(PREFIX.length) : null
}

/** Opens a secret that was typed in this session. */
export async function openSecret(
  kernel: AnsweringKernel,
  { partition }: Execution,
  reference: string,
): Promise<string> {
  await kernel.ready()
  const id = secretId(reference)
  const row = id === null ? null : await kernel.transact(partition, async (tx) => (await tx.read(['secret', id]))[0])
  if (id === null || !row) {
    throw new HoldpointError(
      'unknown_secret',
      'This is no reference to a secret of this session. Pass the value of the `secret` field as the form handed it in.',
    )
  }
  return kernel.vault.open(partition, id, row)
}
