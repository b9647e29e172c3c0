import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { checkLog } from '@holdpoint/conformance/store'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { killedAppenders, whileLooking } from './killing.ts'
import { folder } from './places.ts'

test('kill -9 at 30 random moments loses nothing that was acknowledged, and leaves no gap [R3.3]', async () => {
  const path = join(folder(), 'data.db')
  const store = sqliteStore({ path })
  onTestFinished(() => store.close())
  await store.open()

  const kept = await whileLooking(store, killedAppenders({ kind: 'sqlite', where: path, kills: 30, seed: 7 }))

  expect(kept.length).toBeGreaterThan(300)
  for (const partition of ['p0', 'p1', 'p2']) expect(await checkLog(store, partition, kept)).toEqual([])
  const last = new Map(kept.map((ack) => [`${ack.partition} ${ack.id}`, ack]))
  for (const { partition, id, json } of last.values()) {
    const { rows } = await store.load([{ partition, kind: 'k', id }])
    // The last write that was acknowledged, or one after it whose acknowledgment the kill cut off.
    expect(JSON.parse(rows[0]?.data ?? '[]')[2]).toBeGreaterThanOrEqual(JSON.parse(json)[2])
  }
  expect(new DatabaseSync(path).prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' })
}, 60_000)
