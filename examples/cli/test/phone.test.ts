import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { freePort } from '@holdpoint/conformance/free-port'
import decodeQR from 'qr/decode.js'
import { expect, onTestFinished, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 120_000 })

const program = new URL('../src/phone/main.ts', import.meta.url).pathname

/** The program in a terminal, with files of its own. */
async function phone(home: string, ...args: string[]) {
  const port = await freePort()
  const child: ChildProcess = spawn(
    process.execPath,
    [
      ...['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning', program],
      ...['--port', String(port), ...args],
    ],
    { stdio: 'pipe', env: { ...process.env, NODE_ENV: 'development', XDG_CONFIG_HOME: home } },
  )
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output.text += chunk))
  const ended = new Promise<number | null>((done) => child.once('close', done))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    port,
    ended,
    /** The address in the code, as a camera reads it. */
    scanned: () => vi.waitFor(() => scan(output.text), { timeout: 60_000, interval: 50 }),
    said: () => output.text,
  }
}

/** Reads a QR code of half blocks: a full block is two light points, one above the other. */
function scan(text: string): string {
  const lines = text.split('\n').filter((line) => /[█▀▄ ]{30}/.test(line))
  if (lines.length === 0 || !text.includes('start it again')) throw new Error(`No code yet: ${text}`)
  const points = lines.map((line) => [...stripVTControlCharacters(line)])
  const scale = 4
  const [columns, rows] = [points[0]?.length ?? 0, points.length * 2]
  const [width, height] = [columns * scale, rows * scale]
  const data = new Uint8Array(width * height * 4).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const row = Math.floor(y / scale)
      const block = points[row >> 1]?.[Math.floor(x / scale)] ?? '█'
      const isLight = block === '█' || block === (row % 2 === 0 ? '▀' : '▄')
      data.fill(isLight ? 255 : 0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return decodeQR({ width, height, data })
}

/** Opens the page without JavaScript, and presses a button. */
async function answerAt(link: string, action: 'approve' | 'deny'): Promise<string> {
  const page = await (await fetch(link)).text()
  const hidden = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  const form = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, value]))
  form.set('action', action)
  const headers = { origin: new URL(link).origin }
  const answered = await fetch(link, { method: 'POST', body: form, headers })
  return await answered.text()
}

const newHome = () => {
  const home = mkdtempSync(join(tmpdir(), 'hp-phone-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

test.each([
  ['approve', 'approved', 0],
  ['deny', 'denied', 4],
] as const)(
  'the QR code opens the question, and the program exits with the answer: %s',
  async (action, outcome, code) => {
    const running = await phone(newHome(), 'Deploy the website?')
    const link = await running.scanned()
    expect(running.said()).toContain(`open ${link}\n`)
    expect(await (await fetch(link)).text()).toContain('Deploy the website?')
    expect(await answerAt(link, action)).not.toContain('<form')
    expect(await running.ended).toBe(code)
    expect(running.said()).toContain(`Answer: ${outcome}`)
  },
)

test('a program that was killed shows its question again, and an answer from the meantime counts', async () => {
  const home = newHome()
  const first = await phone(home, '--run', 'one', 'Deploy?')
  await first.scanned()
  first.child.kill('SIGKILL')
  await first.ended

  const second = await phone(home, '--run', 'one', 'Deploy?')
  await answerAt(await second.scanned(), 'approve')
  expect(await second.ended).toBe(0)

  const third = await phone(home, '--run', 'one', 'Deploy?')
  expect(await third.ended).toBe(0)
  expect(third.said()).toBe('Answer: approved\n')
})

test('the QR code contains the address of --url, and the program serves the page under that host', async () => {
  const running = await phone(newHome(), '--url', 'https://tunnel.example/')
  const link = await running.scanned()
  expect(link).toMatch(/^https:\/\/tunnel\.example\/holdpoint\/answer\/[\w-]{40,}$/)
  // As the tunnel forwards it. `fetch` cannot set a Host header.
  const request = { port: running.port, path: new URL(link).pathname, headers: { host: 'tunnel.example' } }
  const status = await new Promise((resolve, reject) => {
    get(request, (response) => resolve(response.resume().statusCode)).once('error', reject)
  })
  expect(status).toBe(200)
})
