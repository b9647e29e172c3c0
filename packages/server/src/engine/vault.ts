import { createCipheriv, createDecipheriv } from 'node:crypto'
import { HoldpointError } from '@holdpoint/core'
import type { Environment } from './environment.ts'
import { randomId } from './names.ts'
import type { SecretRow } from './rows.ts'

/** A key of the vault: 32 bytes, or their base64. Its id is stored with what it encrypts, so that keys can rotate. */
export interface VaultKey {
  id: string
  key: Uint8Array | string
}

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const PREFIX = 'secret:'

/**
 * Encrypts what people type into `secret` fields, with AES-256-GCM. What is stored is of no use without the keys, nor
 * in another session than the one that it was typed in.
 */
export class Vault {
  private readonly environment: Environment
  private readonly keys: ReadonlyMap<string, Uint8Array>
  private readonly current: string | undefined

  constructor(environment: Environment, keys: readonly VaultKey[] = []) {
    this.environment = environment
    this.keys = new Map(keys.map(({ id, key }) => [id, readKey(id, key)]))
    this.current = keys[0]?.id
  }

  /** Called before a secret is asked for: better no question than an answer that cannot be kept. */
  assertUsable(): void {
    if (this.current !== undefined) return
    throw new HoldpointError(
      'vault_keys_missing',
      'A form with a `secret` field needs a key to encrypt what is typed. Pass vaultKeys: [{ id: "1", key: <32 random bytes, base64> }] to createHoldpoint.',
    )
  }

  seal(partition: string, secret: string): { id: string; reference: string; row: SecretRow } {
    this.assertUsable()
    const keyId = this.current as string
    const id = randomId(this.environment)
    const iv = Buffer.from(this.environment.randomBytes(IV_BYTES))
    const cipher = createCipheriv('aes-256-gcm', this.keys.get(keyId) as Uint8Array, iv)
    cipher.setAAD(Buffer.from(bound(partition, id)))
    const data = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return { id, reference: `${PREFIX}${id}`, row: { keyId, iv: iv.toString('base64'), data: data.toString('base64') } }
  }

  open(partition: string, id: string, { keyId, iv, data }: SecretRow): string {
    const key = this.keys.get(keyId)
    if (!key) {
      throw new HoldpointError(
        'vault_key_unknown',
        `A secret was encrypted with the key "${keyId}", which is not among vaultKeys. Add it again, after the current one.`,
        { details: { keyId } },
      )
    }
    const bytes = Buffer.from(data, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64'))
    decipher.setAAD(Buffer.from(bound(partition, id)))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
  }
}

const bound = (partition: string, id: string) => `${partition}\n${id}`

/** The row id in a reference; null for what is none. */
export function secretId(reference: string): string | null {
  return reference.startsWith(PREFIX) && reference.length > PREFIX.length ? reference.slice(PREFIX.length) : null
}

function readKey(id: string, key: Uint8Array | string): Uint8Array {
  const bytes = typeof key === 'string' ? Buffer.from(key, 'base64') : key
  if (bytes.length === KEY_BYTES) return bytes
  throw new HoldpointError(
    'vault_key_invalid',
    `The vault key "${id}" has ${bytes.length} bytes; it must have ${KEY_BYTES}. Make one with: node -e "console.log(require('crypto').randomBytes(32).toString('base64'))".`,
  )
}
