import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokenStoreSuite } from '@holdpoint/conformance/token-store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fileTokenStore } from './file-token-store.ts'

let ground: string
let folder: string
beforeEach(() => {
  ground = mkdtempSync(join(tmpdir(), 'hp-files-'))
  folder = join(ground, 'config', 'cli')
})
afterEach(() => rmSync(ground, { recursive: true, force: true }))

tokenStoreSuite('file', {
  open: async () => ({ store: fileTokenStore({ folder }), again: async () => fileTokenStore({ folder }) }),
})

const record = (version = '1.a') => ({ version, tokens: { accessToken: 'secret-token' }, data: {} })
const mode = (path: string) => lstatSync(path).mode & 0o777

describe('access by other users of the machine', () => {
  test('the folder has mode 0700 and the file 0600 under any umask, and no temporary file remains', async () => {
    const before = process.umask(0)
    try {
      await fileTokenStore({ folder }).write('slack', null, record())
    } finally {
      process.umask(before)
    }
    expect([mode(folder), mode(join(folder, 'slack.json')), readdirSync(folder)]).toEqual([
      0o700,
      0o600,
      ['slack.json'],
    ])
  })

  test('no file in the folder is readable by other users at any moment [F1.1]', async () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const modes = new Set<number>()
    const watcher = watch(folder, (_, name) => {
      const found = statSync(join(folder, String(name)), { throwIfNoEntry: false })
      if (found) modes.add(found.mode & 0o777)
    })
    const before = process.umask(0)
    const store = fileTokenStore({ folder })
    for (let n = 0; n < 50; n++) {
      await store.write('slack', n ? `${n}.a` : null, record(`${n + 1}.a`))
      await new Promise((done) => setImmediate(done))
    }
    process.umask(before)
    watcher.close()
    expect([...modes]).toEqual([0o600])
  })

  test('a folder and a file that are open to other users are made private', async () => {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'slack.json'), JSON.stringify(record()), { mode: 0o644 })
    const store = fileTokenStore({ folder })
    expect((await store.read('slack'))?.tokens?.accessToken).toBe('secret-token')
    await store.write('slack', '1.a', record('2.a'))
    expect([mode(folder), mode(join(folder, 'slack.json'))]).toEqual([0o700, 0o600])
  })
})

describe('symbolic links', () => {
  test('a link in place of the file is neither read nor followed by a write [F1.2]', async () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const victim = join(ground, 'victim')
    writeFileSync(victim, JSON.stringify(record()))
    symlinkSync(victim, join(folder, 'slack.json'))
    const store = fileTokenStore({ folder })
    await expect(store.read('slack')).rejects.toMatchObject({ code: 'unsafe_file' })
    await expect(store.write('slack', null, record('2.b'))).rejects.toMatchObject({ code: 'unsafe_file' })
    expect(readFileSync(victim, 'utf8')).toBe(JSON.stringify(record()))
  })

  test('a link in place of the folder is rejected', async () => {
    mkdirSync(join(ground, 'elsewhere'))
    mkdirSync(join(ground, 'config'))
    symlinkSync(join(ground, 'elsewhere'), folder)
    await expect(fileTokenStore({ folder }).write('slack', null, record())).rejects.toMatchObject({
      code: 'unsafe_file',
    })
    expect(readdirSync(join(ground, 'elsewhere'))).toEqual([])
  })
})

test('a damaged file is named and not quoted', async () => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const text of ['{"version":"1","tokens":{"accessToken":"secret-tok', '', '[]', '{"version":1}']) {
    writeFileSync(join(folder, 'slack.json'), text)
    const error = await fileTokenStore({ folder })
      .read('slack')
      .catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ code: 'store_damaged' })
    expect(String(error)).toContain('slack.json')
    expect(String((error as Error).stack)).not.toContain('secret')
  }
})

test('a failed write leaves the old file and no temporary file', async () => {
  const store = fileTokenStore({ folder })
  await store.write('slack', null, record())
  mkdirSync(join(folder, 'gmail.json'))
  await expect(store.write('gmail', null, record())).rejects.toThrow()
  expect(readdirSync(folder).sort()).toEqual(['gmail.json', 'slack.json'])
  expect(existsSync(join(folder, 'slack.json'))).toBe(true)
})
