import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { acquire, fileLock } from './file-lock.ts'
import { isAbandoned, startOf } from './lock-holder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hp-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A process that takes the lock, reports it, and holds it until it is killed, or runs `rounds` short tasks. */
function holder(rounds: number) {
  const script = `
    import { appendFileSync } from 'node:fs'
    import { fileLock } from ${JSON.stringify(new URL('./file-lock.ts', import.meta.url).href)}
    const lock = fileLock({ folder: ${JSON.stringify(folder)} })
    const log = (word) => appendFileSync(${JSON.stringify(join(folder, 'log'))}, word + process.pid + '\\n')
    for (let n = 0; n < ${rounds || 1}; n++) await lock.run('x', 60_000, async () => {
      log('in ')
      await new Promise((done) => setTimeout(done, ${rounds ? 'Math.random() * 4' : '1e6'}))
      log('out ')
    })`
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
const log = () => {
  try {
    return readFileSync(join(folder, 'log'), 'utf8').trim().split('\n')
  } catch {
    return []
  }
}
const ended = (child: ReturnType<typeof spawn>) => new Promise((done) => child.on('close', done))
const lockFile = () => join(folder, readdirSync(folder).find((name) => name.endsWith('.lock'))!)

test('one task at a time holds the lock in one process', async () => {
  const lock = fileLock({ folder })
  let inside = 0
  let most = 0
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      lock.run('x', 10_000, async () => {
        most = Math.max(most, ++inside)
        await new Promise((done) => setTimeout(done, 1))
        inside--
        return n
      }),
    ),
  )
  expect(most).toBe(1)
  expect(all.map((ran) => ran.held && ran.value)).toEqual(Array.from({ length: 20 }, (_, n) => n))
  expect(readdirSync(folder)).toEqual([])
})

test('one task at a time holds the lock over five competing processes [F1.3]', async () => {
  const children = Array.from({ length: 5 }, () => holder(12))
  await Promise.all(children.map(ended))
  const lines = log()
  expect(lines).toHaveLength(120)
  for (let n = 0; n < lines.length; n += 2) expect(lines[n + 1]).toBe(lines[n]!.replace('in', 'out'))
}, 30_000)

test('five processes compete for the lock of a killed one, and again one task runs at a time', async () => {
  const dead = holder(0)
  await expect.poll(log, { timeout: 10_000 }).toHaveLength(1)
  dead.kill('SIGKILL')
  await ended(dead)
  rmSync(join(folder, 'log'))
  await Promise.all(Array.from({ length: 5 }, () => ended(holder(4))))
  const lines = log()
  expect(lines).toHaveLength(40)
  for (let n = 0; n < lines.length; n += 2) expect(lines[n + 1]).toBe(lines[n]!.replace('in', 'out'))
}, 30_000)

test('a live process keeps its lock while suspended and for hours, and waiting is bounded', async () => {
  const suspended = holder(0)
  await expect.poll(log, { timeout: 10_000 }).toHaveLength(1)
  suspended.kill('SIGSTOP')
  const hoursAgo = Date.now() / 1000 - 36_000
  utimesSync(lockFile(), hoursAgo, hoursAgo)
  let ran = false
  const outcome = await fileLock({ folder }).run('x', 300, async () => {
    ran = true
  })
  suspended.kill('SIGKILL')
  await ended(suspended)
  expect([outcome, ran]).toEqual([{ held: false }, false])
}, 30_000)

test('an error of the task is thrown and the lock is released', async () => {
  const lock = fileLock({ folder })
  const failing = lock.run('x', 1_000, async () => {
    throw new Error('mine')
  })
  await expect(failing).rejects.toThrow('mine')
  expect(readdirSync(folder)).toEqual([])
})

test('a foreign or unreadable lock is kept for a minute', async () => {
  const lock = fileLock({ folder })
  await lock.run('x', 1_000, async () => {
    const path = lockFile()
    writeFileSync(path, '{"pid":1,"host":"elsewhere","nonce":"n"}')
    expect(await lock.run('x', 100, async () => {})).toEqual({ held: false })
    const old = Date.now() / 1000 - 61
    utimesSync(path, old, old)
    expect(await lock.run('x', 1_000, async () => 'mine')).toEqual({ held: true, value: 'mine' })
  })
})

describe('two processes find the same dead holder at the same moment', () => {
  const DEAD = 999_999
  const write = (path: string, pid: number) =>
    writeFileSync(path, JSON.stringify({ pid, host: hostname(), nonce: `of-${pid}` }))

  test.each([
    ['the other process took over after the first read', 1],
    ['the other process would take over between the second read and the removal', 2],
  ])('%s: its lock is not removed', async (_, look) => {
    const path = join(folder, 'x.lock')
    write(path, DEAD)
    let looks = 0
    const here = {
      host: hostname(),
      startOf(pid: number) {
        if (pid !== DEAD) return 'now'
        // The other process runs the same code, so it does not take over while another marker exists.
        if (++looks === look && !existsSync(`${path}.takeover`)) write(path, process.pid)
        return undefined
      },
    }
    const nonce = await acquire(path, 100, here)
    const holder = JSON.parse(readFileSync(path, 'utf8'))
    // Either the other process holds the lock and the wait timed out, or there was none and we hold it.
    expect([holder.nonce, nonce]).toEqual(look === 1 ? [`of-${process.pid}`, null] : [nonce, holder.nonce])
  })
})

test('only one process takes over, and a marker left by a crash is removed after a minute', async () => {
  const path = join(folder, 'x.lock')
  const here = { host: hostname(), startOf: () => undefined }
  const dead = JSON.stringify({ pid: 999_999, host: hostname(), nonce: 'dead' })
  writeFileSync(path, dead)
  writeFileSync(`${path}.takeover`, '')
  expect(await acquire(path, 100, here)).toBeNull()
  expect(readFileSync(path, 'utf8')).toBe(dead)
  const old = Date.now() / 1000 - 61
  utimesSync(`${path}.takeover`, old, old)
  expect(await acquire(path, 2_000, here)).not.toBeNull()
})

describe('isAbandoned', () => {
  const here = { host: 'me', startOf: (pid: number) => ({ 1: 'monday', 2: '' })[pid] }
  const by = (pid: number, started?: string) => ({ pid, host: 'me', nonce: 'n', ...(started ? { started } : {}) })
  test.each([
    ['a lock of a running process is not abandoned', by(1, 'monday'), 1e12, false],
    ['a lock is abandoned if its process id belongs to another process', by(1, 'sunday'), 0, true],
    ['a lock of an ended process is abandoned', by(3), 0, true],
    ['a lock of a running process with an unknown start time is not abandoned', by(2, 'monday'), 1e12, false],
    ['a lock of a running process without a recorded start time is not abandoned', by(1), 1e12, false],
    ['a recent lock of another machine is not abandoned', { ...by(3), host: 'you' }, 59_000, false],
    ['an old lock of another machine is abandoned', { ...by(3), host: 'you' }, 61_000, true],
    ['a lock that is being written is not abandoned', null, 10, false],
  ])('%s', (_, holder, age, abandoned) => {
    expect(isAbandoned(holder, age, here)).toBe(abandoned)
  })

  test('recognizes a running process of this machine by its start time', () => {
    // `?? 'gone'`: this process must be recognized as running even if the system does not report its start time.
    expect(startOf(process.pid) ?? 'gone').toMatch(process.platform === 'linux' ? /^\d+$/ : /^\d*$/)
    expect(startOf(2 ** 22 + 1)).toBeUndefined()
  })
})
