import type { RowRef } from '../port.ts'

/**
 * Entries of lists across partitions: a row, and the nonce of the write that added it. On a cluster such a list is on
 * another node than the row, so the two cannot change together. Therefore an entry is written before its row and
 * removed after it, and is valid only while the row has the same nonce. A list may contain too many entries for a
 * moment, but never too few.
 */
export interface Entry extends RowRef {
  nonce: string
}

/** How long an entry without a matching row is kept, because the write of its row may still be pending. */
export const ENTRY_GRACE_MS = 10 * 60_000

/** Returns a unique nonce that begins with the time of its creation. */
export function newNonce(now: number): string {
  return `${now.toString(36)}-${crypto.randomUUID().slice(0, 8)}`
}

export const madeAt = (nonce: string): number => Number.parseInt(nonce, 36)

export function entryMember({ partition, kind, id, nonce }: Entry): string {
  return [partition, kind, id, nonce].join('\0')
}

export function readMember(member: string): Entry {
  const [partition = '', kind = '', id = '', nonce = ''] = member.split('\0')
  return { partition, kind, id, nonce }
}

/** A stored row: `version nonce due size tags data`. */
export interface StoredRow {
  version: number
  nonce: string
  data: string
}

export function readValue(value: string): StoredRow {
  const [version = '', nonce = '', due = '', size = ''] = value.split(' ', 4)
  const begin = version.length + nonce.length + due.length + size.length + 4
  // The size is in bytes. The slower path is needed only if the tags contain characters of several bytes.
  const tagBytes = Number(size)
  const plain = value.slice(begin, begin + tagBytes)
  const tags = Buffer.byteLength(plain) === tagBytes ? plain : Buffer.from(plain).subarray(0, tagBytes).toString()
  return { version: Number(version), nonce, data: value.slice(begin + tags.length) }
}

/** Reads a script's response about replaced rows, as members of the lists that still contain them. */
export function readReplaced(partition: string, parts: readonly string[]) {
  const replaced: { member: string; kind: string; due: boolean; tags: string[] }[] = []
  for (let at = 0; at + 4 < parts.length; at += 5) {
    const [kind = '', id = '', nonce = '', due = '', tags = '[]'] = parts.slice(at, at + 5)
    replaced.push({
      member: entryMember({ partition, kind, id, nonce }),
      kind,
      due: due !== '-',
      tags: JSON.parse(tags) as string[],
    })
  }
  return replaced
}
