import { byteLength } from '../../base/environment.ts'
import type { Commit, LogEvent, RowRef } from '../port.ts'
import { storeError } from './errors.ts'

/**
 * The maximum number of UTF-8 bytes of a partition, id or tag. It follows from the size of a Postgres index page, and
 * applies to all drivers.
 */
const KEY_BYTES = 2_000
const KIND_BYTES = 128

/** The epoch of a partition without any commit. */
export const NO_EPOCH = '0'

/**
 * Orders keys by their UTF-8 bytes, as SQLite's BINARY and Postgres's "C" do. JavaScript's `<` compares UTF-16 units
 * and sorts U+FFFD after an emoji, so pages would differ between drivers.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? aboveSurrogates(x) - aboveSurrogates(y) : x - y
  }
  return a.length - b.length
}

/** Adjusts a UTF-16 unit for comparison, because surrogates represent code points above U+E000 to U+FFFF. */
function aboveSurrogates(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000
}

/** Rejects a partition, kind, id or tag that some driver could not store unchanged. */
export function checkKey(what: 'partition' | 'kind' | 'id' | 'tag', value: string): void {
  const max = what === 'kind' ? KIND_BYTES : KEY_BYTES
  if (typeof value !== 'string' || value === '') refuse(what, 'is empty or no string')
  if (value.length * 3 > max && byteLength(value) > max) refuse(what, `is longer than ${max} bytes`)
  if (!isText(value)) refuse(what, 'contains a NUL character or half a surrogate pair')
}

export function checkRef(ref: RowRef): void {
  checkKey('partition', ref.partition)
  checkKey('kind', ref.kind)
  checkKey('id', ref.id)
}

/** Rejects commits that are invalid regardless of the stored rows, before they share a transaction. */
export function checkCommit(item: Commit): void {
  checkKey('partition', item.partition)
  for (const check of item.checks ?? []) {
    checkKey('kind', check.kind)
    checkKey('id', check.id)
    checkVersion(check.version)
  }
  for (const put of item.puts ?? []) {
    checkKey('kind', put.kind)
    checkKey('id', put.id)
    if (put.expect !== undefined) checkVersion(put.expect)
    if (put.due !== undefined && put.due !== null && !Number.isSafeInteger(put.due)) {
      refuse('due time', 'is not a whole number of milliseconds')
    }
    for (const tag of put.tags ?? []) checkKey('tag', tag)
    checkText('data of a row', put.data)
  }
  for (const row of item.deletes ?? []) {
    checkKey('kind', row.kind)
    checkKey('id', row.id)
    if (row.expect !== undefined) checkVersion(row.expect)
  }
  for (const event of item.events ?? []) checkText('event', event)
  if (item.puts?.length || item.deletes?.length) checkOnce(item)
}

/** The number of rows up to which names are compared one by one, which is faster than a set for most commits. */
const FEW = 16

function checkOnce({ puts = [], deletes = [] }: Commit): void {
  const count = puts.length + deletes.length
  if (count > FEW) {
    const written = [...puts, ...deletes].map(({ kind, id }) => `${kind}\0${id}`)
    if (new Set(written).size < count) refuse('commit', 'puts or deletes one row twice')
    return
  }
  for (let at = 1; at < count; at++) {
    const row = puts[at] ?? deletes[at - puts.length]
    for (let before = 0; before < at; before++) {
      const other = puts[before] ?? deletes[before - puts.length]
      if (row?.id === other?.id && row?.kind === other?.kind) refuse('commit', 'puts or deletes one row twice')
    }
  }
}

/** Validates a `limit`. Returns `fallback` if it is omitted. */
export function checkLimit(limit: number | undefined, fallback: number): number {
  if (limit === undefined) return fallback
  if (!Number.isSafeInteger(limit) || limit < 1) refuse('limit', 'is not a whole number above 0')
  return limit
}

/** Validates a sequence number of a caller. */
export function checkSeq(seq: number): void {
  if (!Number.isSafeInteger(seq) || seq < 0) refuse('sequence number', 'is not a whole number from 0')
}

/** Rejects events that no log can store, and two events with the same sequence number. */
export function checkEvents(events: readonly LogEvent[]): void {
  for (const { seq, json } of events) {
    checkSeq(seq)
    checkText('event', json)
  }
  if (new Set(events.map(({ seq }) => seq)).size < events.length) refuse('list of events', 'names a place twice')
}

function checkVersion(version: number): void {
  if (!Number.isSafeInteger(version) || version < 0) refuse('expected version', 'is not a whole number from 0')
}

function checkText(what: string, text: string): void {
  if (typeof text !== 'string' || !isText(text)) {
    refuse(what, 'is no text that every database can hold (no string, a NUL character, or half a surrogate pair)')
  }
}

function isText(value: string): boolean {
  return !value.includes('\0') && isWellFormed(value)
}

/**
 * Returns whether a text has no unpaired surrogate. With the u flag, `\p{Surrogate}` matches only unpaired ones; the
 * method, where it exists, is ten times as fast.
 */
function isWellFormed(value: string & { isWellFormed?(): boolean }): boolean {
  return value.isWellFormed?.() ?? !/\p{Surrogate}/u.test(value)
}

/**
 * Throws `store_invalid`. The message does not contain the value, because it may come from outside and messages are
 * logged.
 */
function refuse(what: string, why: string): never {
  throw storeError('store_invalid', `The store rejects this write: the ${what} ${why}. Nothing was written.`)
}
