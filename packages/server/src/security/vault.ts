import type { KeyObject } from 'node:crypto'
import { HoldpointError } from '@holdpoint/core'
import { nodeCrypto } from '../base/environment.ts'

/**
 * A key of the vault: 32 bytes, or their base64 or hex. Its id is stored with the encrypted data, so that keys can
 * rotate.
 */
export interface VaultKey {
  id: string
  key: Uint8Array | string
}

/** An encrypted value for a database. It is useless without the key and the context that it is bound to. */
export interface Sealed {
  keyId: string
  iv: string
  data: string
}

/** Encrypts with AES-256-GCM. The first key encrypts, all decrypt. Put a new key first to rotate. */
export interface Vault {
  /**
   * Encrypts a text. `boundTo` names its context, such as user and integration. It can only be decrypted with the same
   * context.
   */
  seal(text: string, boundTo: readonly string[]): Sealed
  open(sealed: Sealed, boundTo: readonly string[]): string
  /** Returns whether the value was encrypted with a key that is no longer the first. */
  outdated(sealed: Sealed): boolean
}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** Creates a vault. All encrypted data in the store has this format. */
export function createVault(
  keys: readonly VaultKey[],
  randomBytes: (length: number) => Uint8Array = (length) => crypto.getRandomValues(new Uint8Array(length)),
): Vault {
  const { createCipheriv, createDecipheriv } = platformCrypto()
  const first = keys[0]
  if (!first) throw keyError('there is no key')
  const known = new Map<string, KeyObject>()
  for (const { id, key } of keys) {
    if (!id || known.has(id)) throw keyError(`two keys have the id "${id}", or it is empty`)
    known.set(id, readKey(id, key))
  }

  return {
    seal(text, boundTo) {
      const iv = Buffer.from(randomBytes(IV_BYTES))
      const cipher = createCipheriv(ALGORITHM, known.get(first.id) as KeyObject, iv)
      cipher.setAAD(boundBytes(boundTo))
      const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return { keyId: first.id, iv: iv.toString('base64'), data: data.toString('base64') }
    },

    open({ keyId, iv, data }, boundTo) {
      const key = known.get(keyId)
      if (!key) {
        throw new HoldpointError(
          'vault_key_unknown',
          `A stored secret was encrypted with the key "${keyId}", which is not among vaultKeys. Add that key again, after the first.`,
          { details: { keyId } },
        )
      }
      try {
        const bytes = Buffer.from(data, 'base64')
        const decipher = createDecipheriv(ALGORITHM, key, Buffer.from(iv, 'base64'), { authTagLength: TAG_BYTES })
        decipher.setAAD(boundBytes(boundTo))
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
        return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
      } catch {
        // The error does not say why decryption failed, because that would help an attacker (an oracle).
        throw new HoldpointError(
          'vault_mismatch',
          'Cannot decrypt a stored secret: it was changed, moved to another owner, or its key was replaced under the same id. Connect the account, or fill in the form, once more.',
        )
      }
    },

    outdated: ({ keyId }) => keyId !== first.id,
  }
}

/** Uses JSON, because it separates the names unambiguously, unlike joined text. */
const boundBytes = (boundTo: readonly string[]) => Buffer.from(JSON.stringify(boundTo))

function readKey(id: string, key: Uint8Array | string): KeyObject {
  const bytes = typeof key === 'string' ? Buffer.from(key, /^[0-9a-f]{64}$/i.test(key) ? 'hex' : 'base64') : key
  if (bytes.length === KEY_BYTES) return platformCrypto().createSecretKey(bytes)
  throw keyError(`the key "${id}" is not 32 bytes; make one with \`openssl rand -base64 32\``)
}

function platformCrypto(): typeof import('node:crypto') {
  const crypto = nodeCrypto()
  if (crypto) return crypto
  throw keyError('they need node:crypto, which this platform does not have')
}

function keyError(why: string): HoldpointError {
  return new HoldpointError('invalid_vault_keys', `vaultKeys cannot be used: ${why}.`)
}
