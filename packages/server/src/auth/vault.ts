import { HoldpointError } from '@holdpoint/core'
import type { VaultKey } from '../engine/vault.ts'

export type { VaultKey }

/** What may be written to a database: useless without the key and without what it is bound to. */
export interface Sealed {
  keyId: string
  iv: string
  data: string
}

/** AES-256-GCM with key ids. The first key encrypts, all decrypt: put a new key first to rotate. */
export interface Vault {
  /** `boundTo` names what it belongs to (user, integration): opened under another name, it does not open. */
  seal(text: string, boundTo: readonly string[]): Promise<Sealed>
  open(sealed: Sealed, boundTo: readonly string[]): Promise<string>
  /** True when it was sealed with a key that is no longer the first. */
  outdated(sealed: Sealed): boolean
}

/** Makes a vault. The keys are imported once, as keys that cannot be read back. */
export function createVault(
  keys: readonly VaultKey[],
  randomBytes: (length: number) => Uint8Array = (length) => crypto.getRandomValues(new Uint8Array(length)),
): Vault {
  const first = keys[0]
  if (!first) throw keyError('there is no key')
  const imported = new Map<string, () => Promise<CryptoKey>>()
  for (const { id, key } of keys) {
    if (!id || imported.has(id)) throw keyError(`two keys have the id "${id}", or it is empty`)
    imported.set(id, once(readKey(id, key)))
  }

  return {
    async seal(text, boundTo) {
      const key = await imported.get(first.id)?.()
      if (!key) throw keyError('there is no key')
      const iv = Uint8Array.from(randomBytes(12))
      const data = await crypto.subtle.encrypt(gcm(iv, boundTo), key, new TextEncoder().encode(text))
      return { keyId: first.id, iv: toBase64(iv), data: toBase64(new Uint8Array(data)) }
    },

    async open(sealed, boundTo) {
      const key = await imported.get(sealed.keyId)?.()
      if (!key) {
        throw new HoldpointError(
          'vault_key_unknown',
          `A stored secret was encrypted with the key "${sealed.keyId}", which is not among vaultKeys. Add that key again, after the first.`,
          { details: { keyId: sealed.keyId } },
        )
      }
      try {
        const data = await crypto.subtle.decrypt(gcm(fromBase64(sealed.iv), boundTo), key, fromBase64(sealed.data))
        return new TextDecoder().decode(data)
      } catch {
        // The reason is withheld on purpose: WebCrypto has none to give, and it would be an oracle.
        throw new HoldpointError(
          'vault_mismatch',
          'A stored secret cannot be decrypted: it was changed, moved to another owner, or its key was replaced under the same id. Connect the account again.',
        )
      }
    },

    outdated: (sealed) => sealed.keyId !== first.id,
  }
}

function gcm(iv: Uint8Array<ArrayBuffer>, boundTo: readonly string[]): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(JSON.stringify(boundTo)) }
}

function readKey(id: string, key: Uint8Array | string): Uint8Array<ArrayBuffer> {
  const bytes = typeof key === 'string' ? readText(key) : Uint8Array.from(key)
  if (bytes?.length !== 32) {
    throw keyError(`the key "${id}" is not 32 bytes; make one with \`openssl rand -base64 32\``)
  }
  return bytes
}

function readText(key: string): Uint8Array<ArrayBuffer> | undefined {
  if (/^[0-9a-f]{64}$/i.test(key)) return Uint8Array.from(key.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  try {
    return fromBase64(key)
  } catch {
    return undefined
  }
}

/** Imported when first used: making a vault does not wait, and a key is imported once however often it is used. */
function once(bytes: Uint8Array<ArrayBuffer>): () => Promise<CryptoKey> {
  let key: Promise<CryptoKey> | undefined
  return () => {
    key ??= crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
    return key
  }
}

function keyError(why: string): HoldpointError {
  return new HoldpointError('invalid_vault_keys', `vaultKeys cannot be used: ${why}.`)
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
}
