import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { folder, makeReadonly, remountReadonly, smallDisk } from './places.ts'

async function storeAt(path: string, options: Partial<Parameters<typeof sqliteStore>[0]> = {}) {
  const store = sqliteStore({ path, ...options })
  onTestFinished(() => store.close())
  await store.open()
  return store
}

const put = (id: string, data = '1') => ({ kind: 'k', id, data })

test('a SQLite store creates its folders, and is durable with WAL and a flush at every commit', async () => {
  const path = join(folder(), 'a', 'b', 'data.db')
  const store = await storeAt(path)
  await store.commit({ partition: 'p', events: ['1'] })
  expect(existsSync(path)).toBe(true)
  expect(new DatabaseSync(path).prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' })
})

test('a SQLite store keeps everything after it is reopened, including the epoch', async () => {
  const path = join(folder(), 'data.db')
  const first = await storeAt(path)
  const { epoch } = (await first.commit({ partition: 'p', puts: [put('a')], events: ['1'] })) as { epoch: string }
  await first.close()
  const second = await storeAt(path)
  expect(await second.readLog('p', { from: 1, limit: 9 })).toMatchObject({ epoch, head: 1 })
  expect(await second.list('p', 'k')).toMatchObject([{ id: 'a', version: 1 }])
})

test('a SQLite store opens its file once if open() is called several times', async () => {
  const store = sqliteStore({ path: join(folder(), 'data.db') })
  onTestFinished(() => store.close())
  await Promise.all([store.open(), store.open(), store.open()])
  expect(await store.commit({ partition: 'p', events: ['1'] })).toMatchObject({ ok: true })
})

test('a path below a file is rejected with a code', async () => {
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  const store = sqliteStore({ path: join(file, 'data.db') })
  await expect(store.open()).rejects.toMatchObject({
    code: 'sqlite_readonly_fs',
    details: { path: expect.any(String) },
  })
})

test('a file system that accepts no file is rejected with sqlite_readonly_fs, and opening can be retried', async () => {
  const store = sqliteStore({ path: '/proc/holdpoint/data.db' })
  await expect(store.open()).rejects.toMatchObject({ code: 'sqlite_readonly_fs' })
  await expect(store.open()).rejects.toMatchObject({ code: 'sqlite_readonly_fs' })
})

test('a read-only file system is rejected with cause and remedy, whether the file existed before or not', async (context) => {
  const disk = smallDisk('2m')
  if (!disk) return context.skip('needs the right to mount a small file system')
  const path = join(disk, 'data.db')
  const before = await storeAt(path)
  await before.commit({ partition: 'p', puts: [put('a')], events: ['1'] })
  await before.close()
  remountReadonly(disk)
  for (const place of [path, join(disk, 'new.db'), join(disk, 'folder', 'new.db')]) {
    const error = await sqliteStore({ path: place })
      .open()
      .then(
        () => undefined,
        (reason: Error) => reason,
      )
    expect(error).toMatchObject({ code: 'sqlite_readonly_fs', details: { path: place } })
    expect(error?.message).toContain(place)
    expect(error?.message).toMatch(/read-only.*point sqliteStore\(\{ path \}\) to a writable volume.*postgresStore/)
    expect(error?.cause).toBeInstanceOf(Error)
  }
})

test('a folder that accepts no new file is rejected with a code', async (context) => {
  const place = folder()
  if (!makeReadonly(place)) context.skip('needs chattr, or a user who is not root')
  await expect(sqliteStore({ path: join(place, 'data.db') }).open()).rejects.toMatchObject({
    code: 'sqlite_readonly_fs',
  })
})

test('a file that became read-only can be read, and commits are rejected with store_readonly [R9.3]', async (context) => {
  const path = join(folder(), 'data.db')
  const first = await storeAt(path)
  await first.commit({ partition: 'p', puts: [put('a')], events: ['1'] })
  await first.close()
  if (!makeReadonly(path)) context.skip('needs chattr, or a user who is not root')
  const store = await storeAt(path)
  await expect(store.commit({ partition: 'p', events: ['2'] })).rejects.toMatchObject({
    code: 'store_readonly',
    details: { applied: 'no' },
  })
  await expect(store.erase('p')).rejects.toMatchObject({ code: 'store_readonly' })
  expect(await store.readLog('p', { from: 1, limit: 9 })).toMatchObject({ head: 1 })
  expect(await store.list('p', 'k')).toHaveLength(1)
})

test('a full disk rejects only what does not fit, reads continue, and commits succeed when space is free [R9.2]', async (context) => {
  const disk = smallDisk('2m')
  if (!disk) return context.skip('needs the right to mount a small file system')
  const store = await storeAt(join(disk, 'data.db'))
  await store.commit({ partition: 'p', puts: [put('a')], events: ['"first"'] })
  writeFileSync(join(disk, 'filler'), Buffer.alloc(1_000_000))
  const big = JSON.stringify('x'.repeat(1_500_000))
  const results = await Promise.allSettled([
    store.commit({ partition: 'p', events: ['"before"'] }),
    store.commit({ partition: 'p', events: [big] }),
    store.commit({ partition: 'p', puts: [put('b')], events: ['"after"'] }),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[1]).toMatchObject({ reason: { code: 'store_full', details: { applied: 'no' } } })
  const { events } = await store.readLog('p', { from: 1, limit: 9 })
  expect(events.map(({ json }) => json)).toEqual(['"first"', '"before"', '"after"'])
  expect(await store.list('p', 'k')).toHaveLength(2)
  rmSync(join(disk, 'filler'))
  expect(await store.commit({ partition: 'p', events: [JSON.stringify('x'.repeat(200_000))] })).toMatchObject({
    lastSeq: 4,
  })
})

test('a group of commits that fails halfway leaves nothing in the file', async () => {
  let epochs = 0
  const newEpoch = () => {
    if (++epochs === 2) throw new Error('no more epochs')
    return `epoch${epochs}`
  }
  const store = await storeAt(join(folder(), 'data.db'), { newEpoch })
  const results = await Promise.allSettled([
    store.commit({ partition: 'p', puts: [put('a')], events: ['1'] }),
    store.commit({ partition: 'q', puts: [put('a')], events: ['1'] }),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await store.list('p', 'k')).toEqual([])
  expect(await store.readLog('p', { from: 1, limit: 9 })).toMatchObject({ epoch: '0', head: 0 })
  expect(await store.commit({ partition: 'p', events: ['1'] })).toMatchObject({ epoch: 'epoch3', firstSeq: 1 })
})

test('a file that is no database is rejected with store_corrupt and not changed', async () => {
  const path = join(folder(), 'data.db')
  writeFileSync(path, 'this is a letter to my aunt. '.repeat(500))
  await expect(sqliteStore({ path }).open()).rejects.toMatchObject({
    code: 'store_corrupt',
    message: expect.stringContaining('backup'),
  })
  expect(readFileSync(path, 'utf8')).toContain('my aunt')
})

test('a damaged page is named in the error, and the rest can be read [R9.4]', async () => {
  const path = join(folder(), 'data.db')
  const first = await storeAt(path)
  for (const partition of ['p', 'q']) {
    await first.commit({ partition, puts: [put('a', JSON.stringify('row'.repeat(2_000)))] })
    await first.commit({ partition, events: Array.from({ length: 300 }, () => JSON.stringify('e'.repeat(200))) })
  }
  await first.close()
  const pages = new DatabaseSync(path)
  const root = pages.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").get()?.rootpage
  pages.close()
  writeSync(openSync(path, 'r+'), Buffer.alloc(4_096, 0xab), 0, 4_096, (Number(root) - 1) * 4_096)
  const store = await storeAt(path)
  await expect(store.readLog('p', { from: 1, limit: 999 })).rejects.toMatchObject({ code: 'store_corrupt' })
  expect(await store.list('q', 'k')).toHaveLength(1)
})

test('a SQLite store waits for the lock of another process without blocking the event loop', async () => {
  const path = join(folder(), 'data.db')
  const store = await storeAt(path)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  let turns = 0
  const ticking = setInterval(() => turns++, 1)
  const pending = store.commit({ partition: 'p', events: ['1'] })
  await new Promise((resolve) => setTimeout(resolve, 200))
  clearInterval(ticking)
  // Blocked, it would have been none; on a busy machine it may be few.
  expect(turns).toBeGreaterThan(5)
  expect(await store.list('p', 'k')).toEqual([])
  other.exec('COMMIT')
  expect(await pending).toMatchObject({ ok: true, lastSeq: 1 })
  other.close()
})

test('a lock that is held too long rejects with store_busy, and nothing is written later', async () => {
  const path = join(folder(), 'data.db')
  const store = await storeAt(path, { busyTimeoutMs: 60 })
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  await expect(store.commit({ partition: 'p', events: ['1'] })).rejects.toMatchObject({
    code: 'store_busy',
    details: { applied: 'no' },
  })
  other.exec('COMMIT')
  other.close()
  expect(await store.commit({ partition: 'p', events: ['2'] })).toMatchObject({ lastSeq: 1 })
})

test('a SQLite store checks for commits of other processes only while it has a subscriber', async () => {
  const path = join(folder(), 'data.db')
  const every = vi.spyOn(globalThis, 'setInterval')
  const clear = vi.spyOn(globalThis, 'clearInterval')
  onTestFinished(() => void vi.restoreAllMocks())
  const store = await storeAt(path)
  expect(every).not.toHaveBeenCalled()
  const leave = store.subscribe(() => {})
  store.subscribe(() => {})()
  expect(every).toHaveBeenCalledTimes(1)
  const timer = every.mock.results[0]?.value
  expect(timer.hasRef()).toBe(false)
  expect(clear).not.toHaveBeenCalledWith(timer)
  leave()
  expect(clear).toHaveBeenCalledWith(timer)
})

test('a script that subscribes and never closes the store can exit', async () => {
  const args = ['--conditions=holdpoint-source', join(import.meta.dirname, 'idle.child.ts'), join(folder(), 'data.db')]
  const child = spawn(process.execPath, args, { stdio: 'inherit', timeout: 40_000 })
  expect(await once(child, 'exit')).toEqual([0, null])
}, 60_000)

test.each([
  ['deleted', (path: string) => rmSync(path)],
  [
    'replaced',
    (path: string) => {
      renameSync(path, `${path}.old`)
      writeFileSync(path, readFileSync(`${path}.old`))
    },
  ],
])(
  'a file that was %s under the process accepts no commit, and the error names the reason [R9f.1]',
  async (_how, change) => {
    const path = join(folder(), 'data.db')
    const store = await storeAt(path)
    expect(await store.commit({ partition: 'p', events: ['1'] })).toMatchObject({ ok: true })
    change(path)
    await expect(store.commit({ partition: 'p', events: ['2'] })).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('was replaced or deleted'),
      details: { applied: 'no' },
    })
    await expect(store.trim('p', 9)).rejects.toMatchObject({ code: 'store_unavailable' })
  },
)

test('a database file is readable only by its user, and git ignores a folder made for it [R9f.2]', async () => {
  const place = folder()
  await storeAt(join(place, '.holdpoint', 'data.db')).then((store) => store.commit({ partition: 'p', events: ['1'] }))
  const modeOf = (name: string) => statSync(join(place, name)).mode & 0o777
  expect(modeOf('.holdpoint')).toBe(0o700)
  for (const name of ['data.db', 'data.db-wal', 'data.db-shm']) expect(modeOf(`.holdpoint/${name}`)).toBe(0o600)
  expect(readFileSync(join(place, '.holdpoint', '.gitignore'), 'utf8')).toBe('*\n')
  // The permissions of an existing folder are left unchanged.
  await storeAt(join(place, 'data.db'))
  expect(existsSync(join(place, '.gitignore'))).toBe(false)
})
