import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'

const app = fileURLToPath(new URL('./testing/terminal-app.ts', import.meta.url))
const python = spawnSync('python3', ['-c', 'import pty']).status === 0

/** The app in a terminal of its own (a pty), which only Python gives without a native module. */
function start() {
  const command = [process.execPath, '--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning', app]
  const child = spawn('python3', ['-c', 'import pty,sys; pty.spawn(sys.argv[1:])', ...command], { stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  const pid = () => Number(/<pid (\d+)>/.exec(shown)?.[1])
  onTestFinished(() => {
    if (pid()) process.kill(pid(), 'SIGKILL')
  })
  return {
    shown: () => shown,
    type: (text: string) => void child.stdin.write(text),
    withdraw: () => process.kill(pid(), 'SIGUSR2'),
    until: (text: string) => expect.poll(() => shown, { timeout: 10_000 }).toContain(text),
    pause: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
  }
}

describe.skipIf(!python)('a real terminal (skipped where there is no python3 to open a pty)', () => {
  test('a line typed for a withdrawn question answers no other question [N2.1]', { timeout: 20_000 }, async () => {
    const terminal = start()
    await terminal.until('[y/n] ')
    await terminal.pause(600)
    // Half a line for the first question, its end for the second.
    terminal.type('y')
    await terminal.pause(50)
    terminal.withdraw()
    await terminal.until('Delete everything?')
    // The question is readable now, so only a discarded line protects it.
    await terminal.pause(700)
    terminal.type('\r')
    await terminal.pause(700)
    expect(terminal.shown()).not.toContain('<answered second')
    terminal.type('y\r')
    await terminal.until('<answered second approve>')
  })

  test('a complete line that was typed before its question appeared neither approves nor denies it [N2.3]', {
    timeout: 20_000,
  }, async () => {
    const terminal = start()
    await terminal.until('[y/n] ')
    await terminal.pause(600)
    terminal.type('y\rn\r')
    await terminal.until('Delete everything?')
    await terminal.pause(700)
    expect(terminal.shown()).not.toContain('Why?')
    expect(terminal.shown()).not.toContain('<answered second')
    terminal.type('y\r')
    await terminal.until('<answered second approve>')
  })

  test('an approval that is typed twice answers one question [N2.2]', { timeout: 20_000 }, async () => {
    const terminal = start()
    await terminal.until('[y/n] ')
    await terminal.pause(600)
    terminal.type('y\ry\r')
    await terminal.until('<answered first approve>')
    await terminal.until('Delete everything?')
    // A second one, faster than a person can read.
    terminal.type('y\r')
    await terminal.until('before you could read')
    expect(terminal.shown()).not.toContain('<answered second')
    await terminal.pause(600)
    terminal.type('y\r')
    await terminal.until('<answered second approve>')
  })
})
