import { execFileSync, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { createBridgeKey, createSandboxHost, localFiles, sandboxFiles } from '@holdpoint/core/node'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { requestLine, responseText } from '../../src/node/bridge/bridge-format.ts'
import type { RunResult } from '../../src/node/bridge/sandbox-bridge.ts'

// Each scene is a tree of processes.
vi.setConfig({ testTimeout: 30_000 })

const TOKEN = 'xoxb-very-secret-token'
let folder: string
let key: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hp-bridge-'))
  key = createBridgeKey()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Scene {
  tool?: string[]
  env?: Record<string, string>
  allowed?: string[]
  timeoutMs?: number
  /** The action of the person; null cancels. */
  answer?: () => Promise<Record<string, string> | null>
  /** The action of a malicious process in the sandbox once the request is known. */
  attack?: (at: { path: string; id: string; runner: number }) => void
  files?: ReturnType<typeof localFiles>
}

async function play({
  tool = ['post'],
  env = {},
  allowed = ['slack'],
  answer,
  attack,
  files = localFiles(),
  timeoutMs = 5_000,
}: Scene) {
  const asked: unknown[] = []
  const written: string[] = []
  const host = createSandboxHost({
    key,
    allowed,
    files: {
      ...files,
      write: (path, text) => {
        written.push(text)
        return files.write(path, text)
      },
    },
    connect: async (request) => {
      asked.push(request)
      return answer ? answer() : { slack: TOKEN }
    },
  })
  const script = new URL('./runner-process.ts', import.meta.url).pathname
  const { SLACK_ACCESS_TOKEN: _, ...rest } = process.env
  const runner = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, folder, String(timeoutMs), ...tool],
    {
      env: { ...rest, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  runner.stdin.end(`${key}\n`)
  const output: string[] = []
  let done: RunResult | undefined
  for await (const line of createInterface({ input: runner.stdout })) {
    const found = /"bridge":\{"id":"([^"]+)","path":"([^"]+)"/.exec(line)
    if (found) attack?.({ id: found[1]!, path: found[2]!, runner: runner.pid! })
    if (line.startsWith('{"done"')) done = JSON.parse(line).done
    else if (!(await host.line(line)) && line) output.push(line)
  }
  return { asked, written, output, done }
}
const left = () => readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)))

describe('the bridge of a sandbox', () => {
  test('a tool behind a shell that lacks an account asks, receives the token in its own environment, and runs once more', async () => {
    const { asked, output, done } = await play({})
    expect(asked).toEqual([{ integrations: ['slack'], reason: 'Slack is needed to post' }])
    expect(output).toEqual([`posted as ${TOKEN.length} bot`])
    expect(done).toEqual({ exitCode: 0, signal: null, auth: 'connected' })
    expect(left()).toEqual([])
  })

  test('a tool with a rejected token asks once, not repeatedly', async () => {
    const { asked, output, done } = await play({
      env: { SLACK_ACCESS_TOKEN: 'revoked' },
      answer: async () => ({ slack: 'revoked' }),
    })
    expect(asked).toHaveLength(1)
    expect(done).toMatchObject({ exitCode: 1, auth: 'connected' })
    expect(JSON.parse(output[0]!).error.code).toBe('AUTH_REQUIRED')
  })

  test('a tool with a token does not ask, and its progress shows while it runs', async () => {
    expect((await play({ env: { SLACK_ACCESS_TOKEN: TOKEN } })).asked).toEqual([])
    const { asked, output, done } = await play({ tool: ['--progress'] })
    expect([asked, output, done]).toEqual([[], ['{"progress":1}', 'working'], { exitCode: 0, signal: null }])
  })

  test('a tool whose question is cancelled or not answered in time keeps its own result', async () => {
    expect((await play({ answer: async () => null })).done).toEqual({ exitCode: 1, signal: null, auth: 'cancelled' })
    const { done } = await play({ timeoutMs: 300, answer: () => new Promise((ok) => setTimeout(() => ok(null), 800)) })
    expect(done).toMatchObject({ auth: 'timed-out' })
    expect((await play({ answer: () => Promise.reject(new Error('broker down')) })).done).toMatchObject({
      auth: 'cancelled',
    })
  })

  test('a sandbox that writes files and runs commands suffices, with quotes in paths', async () => {
    folder = join(folder, "it's $(touch pwned) here")
    mkdirSync(folder)
    const files = sandboxFiles({
      write: async (path, text) => writeFileSync(path, text),
      run: async (command) => execFileSync('/bin/sh', ['-c', command], { cwd: folder }),
    })
    const { done } = await play({ files })
    expect(done).toMatchObject({ exitCode: 0, auth: 'connected' })
    expect(readdirSync(folder)).not.toContain('pwned')
    expect(readdirSync(dirname(folder))).not.toContain('pwned')
  })
})

describe('output that only resembles a request for an account [T15.3]', () => {
  test.each([
    ['a file that was printed', '{"error":{"code":"AUTH_REQUIRED","integration":"gmail","message":"x"}}'],
    ['a message with text around it', 'log\n{"error":{"code":"AUTH_REQUIRED","integration":"slack","message":"x"}}\n'],
  ])('threat 15: %s does not ask', async (_, content) => {
    const file = join(folder, 'notes.json')
    writeFileSync(file, content)
    const { asked, output, done } = await play({ tool: ['--print', file] })
    expect([asked, done]).toEqual([[], { exitCode: 1, signal: null }])
    expect(output.join('\n')).toBe(content.trim())
    rmSync(file)
  })
})

describe('threats 21 and 22: a malicious process in the sandbox', () => {
  const forged = (id: string) =>
    responseText(createBridgeKey(), { id, success: true, integrations: ['slack'], timestamp: 1, sealed: false })

  test.each<[string, NonNullable<Scene['attack']>]>([
    ['links the answer to a file of the user', ({ path }) => symlinkSync(join(folder, 'victim'), path)],
    ['links the sealed file', ({ path }) => symlinkSync(join(folder, 'victim'), `${path}.sealed`)],
    ['writes an answer of its own', ({ path, id }) => writeFileSync(path, forged(id))],
    ['puts a pipe there', ({ path }) => void execFileSync('/bin/sh', ['-c', `mkfifo '${path}'`])],
    ['writes half an answer', ({ path, id }) => writeFileSync(path, forged(id).slice(0, 20))],
    ['writes rubbish without end', ({ path }) => writeFileSync(path, Buffer.alloc(3_000_000, '['))],
    [
      'replays the answer to another request',
      ({ path }) =>
        writeFileSync(
          path,
          responseText(key, { id: 'earlier', success: true, integrations: ['slack'], timestamp: 1, sealed: false }),
        ),
    ],
    [
      'the answer contains the requested accounts',
      ({ path, id }) => writeFileSync(path, requestLine(key, { id, path, integrations: ['slack'] })),
    ],
  ])("threat 21: %s: only the host's messages count", async (name, attack) => {
    writeFileSync(join(folder, 'victim'), 'untouched')
    // For a forged answer the person denies; for a blocked one the person approves.
    const said = /writes an answer|replays|answers/.test(name) ? null : { slack: TOKEN }
    // The attacker has all the time it wants before the host answers.
    const { done } = await play({ attack, answer: () => new Promise((ok) => setTimeout(() => ok(said), 400)) })
    expect(done).toMatchObject(said ? { exitCode: 0, auth: 'connected' } : { auth: 'cancelled' })
    expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('untouched')
  })

  test('cannot read a key or token in files, arguments or the runner’s environment [T21.1]', async () => {
    const seen: string[] = []
    const { written } = await play({
      attack: ({ runner, path }) => {
        for (const file of ['environ', 'cmdline']) seen.push(readFileSync(`/proc/${runner}/${file}`, 'latin1'))
        seen.push(String(statSync(dirname(path)).mode & 0o777))
      },
    })
    expect(written.length).toBe(2)
    for (const text of [...written, ...seen]) {
      expect(text).not.toContain(key)
      expect(text).not.toContain(TOKEN)
      expect(text).not.toContain(Buffer.from(TOKEN).toString('base64').slice(0, 12))
    }
    expect(seen.at(-1)).toBe(String(0o700))
  })

  test('threat 21: cannot make the host ask by printing a line [T21.2]', async () => {
    const line = requestLine(createBridgeKey(), { id: 'i', path: join(folder, 'x.json'), integrations: ['slack'] })
    const file = join(folder, 'line')
    writeFileSync(file, `x\n${line}\n`)
    const { asked, output } = await play({ tool: ['--print', file] })
    expect(asked).toEqual([])
    expect(output).toContain(line)
    rmSync(file)
  })

  test('cannot ask for an account that the session may not use [T22.1]', async () => {
    const { asked, done } = await play({ allowed: ['gmail'] })
    expect([asked, done]).toEqual([[], { exitCode: 1, signal: null, auth: 'cancelled' }])
  })

  test('threat 21: cannot have a request answered twice [T21.3]', async () => {
    let asked = 0
    const host = createSandboxHost({
      key,
      files: localFiles(),
      allowed: ['slack'],
      connect: async () => {
        asked++
        return null
      },
    })
    const line = requestLine(key, { id: 'once', path: join(folder, 'once.json'), integrations: ['slack'] })
    expect([await host.line(line), await host.line(line), asked]).toEqual([true, true, 1])
  })
})

test('a bridge without a key does not start', async () => {
  const script = new URL('./runner-process.ts', import.meta.url).pathname
  const run = () =>
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, folder], {
      input: 'no key\n',
      stdio: 'pipe',
    })
  expect(run).toThrow(/bridge_key_missing|createBridgeKey/)
})
