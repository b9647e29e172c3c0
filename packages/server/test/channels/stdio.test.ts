import { type ChildProcess, spawn } from 'node:child_process'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createHoldpointClient, messagePort } from '@holdpoint/core'
import { answerInTerminal, stdioPort } from '@holdpoint/core/node'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { attachStdio } from '@holdpoint/server/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'

/** Lines of JSON between two real processes, whichever of them is the person's. */
const ADA = { userId: 'ada' }
const FLAGS = ['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning']
const SLOW_MS = 15_000

function start(name: string, stdio: ('pipe' | 'inherit')[]): ChildProcess {
  const file = fileURLToPath(new URL(`./stdio/${name}`, import.meta.url))
  const child = spawn(process.execPath, [...FLAGS, file], { stdio })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Collects what is shown, and resolves when a text has come that was not waited for before. */
function reading(stream: Readable) {
  let text = ''
  let read = 0
  let look = () => {}
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    look()
  })
  return (wanted: string) =>
    new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`"${wanted}" did not come; what came: ${text}`)), SLOW_MS)
      look = () => {
        const at = text.indexOf(wanted, read)
        if (at < 0) return
        clearTimeout(late)
        read = at + wanted.length
        look = () => {}
        resolve(text)
      }
      look()
    })
}

test('an agent asks a terminal program that it started itself, over stdio', { timeout: 120_000 }, async () => {
  const holdpoint = createHoldpoint({ store: memoryStore() })
  onTestFinished(() => holdpoint.close())
  const child = start('person.child.ts', ['pipe', 'pipe', 'inherit', 'pipe', 'pipe'])
  const [keys, shown] = [child.stdio[3] as Writable, reading(child.stdio[4] as Readable)]
  attachStdio({ input: child.stdout!, output: child.stdin! }, holdpoint, { principal: ADA })
  const ctx = holdpoint
    .session('chat', ADA)
    .toolCall({ runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' })
  const approved = ctx.approve({
    prompt: 'Delete 3 files?',
    args: { files: ['ä.md'] },
    scopes: ['once', 'session'],
    rememberAs: 'ä.md',
  })
  expect(await shown('[y/s/n] ')).toMatch(/Delete 3 files\?[\s\S]*ä\.md/)
  keys.write('s\n')
  expect(await approved).toMatchObject({ scope: 'session' })
  await shown('Approved.')
  const denied = ctx.tryApprove({ prompt: 'And the others?' })
  await shown('And the others?')
  keys.write('n\nI need them\n')
  expect(await denied).toEqual({ outcome: 'denied', reason: 'I need them' })
  // The program is closed, and its question stays for the next process.
  const waiting = ctx.tryApprove({ prompt: 'Still there?' })
  await shown('Still there?')
  const gone = new Promise((resolve) => child.once('exit', resolve))
  keys.end()
  await gone
  const { items } = await engineOf(holdpoint).inbox(ADA, {})
  expect(items).toHaveLength(1)
  await holdpoint.session('chat', ADA).cancelRun('run-1')
  expect(await waiting).toMatchObject({ outcome: 'cancelled' })
})

test('a terminal program starts the agent and answers its questions over stdio', { timeout: 120_000 }, async () => {
  const child = start('agent.child.ts', ['pipe', 'pipe', 'pipe'])
  const transport = messagePort(stdioPort({ input: child.stdout!, output: child.stdin! }))
  const client = createHoldpointClient({ sessionId: 'chat', transport })
  onTestFinished(() => client.close())
  const [keys, screen] = [new PassThrough(), new PassThrough()]
  const shown = reading(screen)
  const result = reading(child.stderr!)
  const done = new AbortController()
  const answering = answerInTerminal({ client, input: keys, output: screen, signal: done.signal })
  await shown('Send 2 letters?')
  keys.write('y\n')
  await shown('Where to?')
  keys.write('ada@example.com\n')
  await shown('send')
  keys.write('y\n')
  expect(await result('}\n')).toContain('{"args":{"letters":2},"scope":"once","email":"ada@example.com"}')
  done.abort()
  await answering
})
