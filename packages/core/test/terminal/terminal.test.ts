import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'

// A terminal that is one: line editing and echo are the system's, and only there can a password show.
const SCRIPT = '/usr/bin/script'
const withTerminal = test.runIf(existsSync(SCRIPT))
if (!existsSync(SCRIPT)) console.warn('skipped: real terminal (needs util-linux `script`)')

function start() {
  const program = new URL('./terminal-process.ts', import.meta.url).pathname
  const command = `'${process.execPath}' --disable-warning=ExperimentalWarning '${program}'`
  const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], { stdio: 'pipe', env: { ...process.env, TERM: 'xterm' } })
  let shown = ''
  child.stdout.on('data', (chunk) => {
    shown += chunk
  })
  const closed = new Promise((done) => child.on('close', done))
  return {
    see: (text: string) => expect.poll(() => shown, { timeout: 15_000 }).toContain(text),
    type: (text: string) => child.stdin.write(text),
    shown: () => shown,
    /** A yes counts only half a second after its question was drawn. */
    async confirm() {
      await new Promise((read) => setTimeout(read, 600))
      child.stdin.write('y\r')
    },
    async end() {
      child.kill('SIGKILL')
      await closed
    },
  }
}

withTerminal(
  'a typed secret never shows, and corrections do not erase the question',
  async () => {
    const terminal = start()
    try {
      await terminal.see('Your name')
      terminal.type('Adaa')
      await terminal.see('Adaa')
      terminal.type('\u007f')
      // The editor clears the line and draws it again, the question with it.
      await terminal.see('[0J  > Ada\u001b')
      terminal.type('\r')
      await terminal.see('Your password')
      terminal.type('hunter22')
      terminal.type('\u007f\r')
      await terminal.see('[y = send')
      await terminal.confirm()
      await terminal.see('GOT Ada 7')
      expect(terminal.shown()).not.toMatch(/hunt|unter/)
    } finally {
      await terminal.end()
    }
  },
  30_000,
)

withTerminal(
  'Ctrl-C answers nothing',
  async () => {
    const terminal = start()
    try {
      await terminal.see('Your name')
      terminal.type('\u0003')
      await terminal.see('ENDED by SIGINT')
      expect(terminal.shown()).not.toContain('GOT')
    } finally {
      await terminal.end()
    }
  },
  30_000,
)

withTerminal(
  'Ctrl-C between two questions interrupts the program too',
  async () => {
    const terminal = start()
    try {
      await terminal.see('Your name')
      terminal.type('Ada\r')
      await terminal.see('Your password')
      terminal.type('hunter2\r')
      await terminal.see('[y = send')
      await terminal.confirm()
      await terminal.see('GOT Ada 7')
      terminal.type('\u0003')
      await terminal.see('ENDED by SIGINT')
    } finally {
      await terminal.end()
    }
  },
  30_000,
)
