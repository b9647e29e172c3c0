import { createServer } from 'node:http'
import { join } from 'node:path'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import { build } from 'esbuild'
import { z } from 'zod'
import { launchChromium } from '../../scripts/chromium.ts'
import { portOf } from '../fanout/measured.ts'
import { engineOf } from '../support/engine.ts'
import { person } from '../support/person.ts'
import { report, versionOf } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { rounds } from '../support/rounds.ts'
import { digits, median, quantile, spread } from '../support/statistics.ts'
import type { OpeningPage } from './page.tsx'

/**
 * A person opens a session of 10,000 events in a real Chromium: how long from the new client until the first card is in
 * the document? Beside it the same page fetches and parses the same snapshot, which is the least that any client does.
 * Both take turns on a page whose code is loaded and warm.
 */
const EVENTS = 10_000
const ROUNDS = 60
const WARM_UP = 15
const AT_ONCE = 50
const SESSION = 'long'
const OPEN = 'Delete the last files?'

const ada = person()
const store = memoryStore()
const holdpoint = createHoldpoint({
  store,
  authenticate: () => ({ userId: 'ada' }),
  http: { rateLimit: { burst: 1e9, perSecond: 1e9 } },
  hooks: { onEvent: ada.onEvent },
})
const tool = holdpoint.tool({
  name: 'delete_files',
  input: z.object({ paths: z.array(z.string()), prompt: z.string() }),
  async execute({ paths, prompt }, ctx) {
    await ctx.approve({ prompt, args: { paths } })
    return { deleted: paths.length }
  },
})
const session = holdpoint.session(SESSION, { userId: 'ada' })
const paths = ['/srv/project/report-1.pdf', '/srv/project/report-2.pdf', '/srv/project/report-3.pdf']
const partition = engineOf(holdpoint).partition({ tenant: '', sessionId: SESSION })

/** Real calls with real questions, answered, until the log is long enough; the last question stays open. */
let calls = 0
const length = async () => (await store.readLog(partition, { from: 1, limit: 1 })).head
while ((await length()) < EVENTS) {
  const running: Promise<unknown>[] = []
  for (let n = 0; n < AT_ONCE; n++) {
    const toolCallId = `call-${calls++}`
    const asked = ada.question(holdpoint, SESSION, toolCallId)
    running.push(session.runTool(tool, { paths, prompt: 'Delete 3 files?' }, { runId: 'run', toolCallId }))
    running.push(asked.then((question) => ada.approve(holdpoint, SESSION, question)))
  }
  await Promise.all(running)
}
const last = ada.heard('open')
void session.runTool(tool, { paths, prompt: OPEN }, { runId: 'run', toolCallId: 'open' }).catch(() => {})
await last
const events = await length()

const { outputFiles } = await build({
  entryPoints: [join(import.meta.dirname, 'page.tsx')],
  bundle: true,
  minify: true,
  format: 'iife',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  write: false,
  outdir: 'out',
  logLevel: 'error',
})
const script = outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? ''
const handle = toNodeHandler(holdpoint)
/** Isolated, because the clock of a page is exact to 5 µs only then. */
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
const server = createServer((request, response) => {
  if (request.url?.startsWith('/holdpoint')) return void handle(request, response)
  if (request.url === '/page.js') return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
  response.writeHead(200, { ...ISOLATED, 'content-type': 'text/html' })
  response.end('<!doctype html><title>opening</title><body><script src="/page.js"></script></body>')
})
const port = await portOf(server)

const browser = await launchChromium()
const page = await browser.newPage()
const failures: unknown[] = []
page.on('pageerror', (error) => failures.push(error))
await page.goto(`http://127.0.0.1:${port}/`)
const given = { sessionId: SESSION, text: OPEN }
const opens = () =>
  page.evaluate(
    ({ sessionId, text }) => (window as unknown as { opening: OpeningPage }).opening.open(sessionId, text),
    given,
  )
const fetches = () =>
  page.evaluate(
    ({ sessionId }) => (window as unknown as { opening: OpeningPage }).opening.fetchAndParse(sessionId),
    given,
  )

const taken = await rounds(
  ROUNDS,
  {
    holdpoint: opens,
    bare: fetches,
  },
  { warmUp: WARM_UP },
)
const bytes = (await (await fetch(`http://127.0.0.1:${port}/holdpoint/sessions/${SESSION}`)).text()).length
await browser.close()
if (failures.length > 0) throw failures[0]

const ratios = taken.holdpoint.map((ms, round) => ms / (taken.bare[round] ?? Number.NaN))
const scenario = `a browser opens a session of ${EVENTS.toLocaleString('en-US')} events`
const limit = 'fetch and JSON.parse of the same snapshot'
const results: Result[] = [
  {
    id: 'ratio',
    scenario,
    figure: 'new client → first card in the document',
    unit: `× ${limit}`,
    better: 'lower',
    value: median(ratios),
    spread: spread(ratios),
    target: 1.3,
    limit: { name: limit, value: 1 },
  },
  {
    id: 'ms',
    scenario,
    figure: 'new client → first card in the document, p50',
    unit: 'ms',
    better: 'lower',
    value: median(taken.holdpoint),
    spread: spread(taken.holdpoint),
    limit: { name: limit, value: median(taken.bare) },
  },
]
report({
  about: `${ROUNDS} interleaved rounds after ${WARM_UP}, ${events} events, a snapshot of ${bytes} bytes, React ${versionOf('react')}, Chromium ${browser.version()}`,
  results,
  rows: {
    [scenario]: Object.entries(taken).map(([name, all]) => ({
      name,
      'ms, p50': digits(median(all)),
      'ms, p90': digits(quantile(all, 0.9)),
      least: digits(Math.min(...all)),
    })),
  },
})
process.exit(0)
