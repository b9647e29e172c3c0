import { join } from 'node:path'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { launchChromium } from '../../scripts/chromium.ts'
import { report, versionOf } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { rounds } from '../support/rounds.ts'
import { digits, median, spread } from '../support/statistics.ts'
import type { CardsPage, Taken } from './cards/card.tsx'

/**
 * 10,000 questions are on the page, one of them is answered: how long until React has put that on the page, and how
 * many components it rendered for it. The same row for all, React's production build, a real Chromium. The limit is a row
 * that hears of itself from a plain Map: what is left is React, which goes past all rows of a list to get to one.
 */
const CARDS = 10_000
const ROUNDS = 60
const WARM_UP = 10
const PAGES = {
  Holdpoint: 'holdpoint.page.tsx',
  zustand: 'zustand.page.tsx',
  'rows in memo': 'memo-rows.page.tsx',
  'React by itself': 'keyed-store.page.tsx',
} as const

const browser = await launchChromium()

/** Isolated, because the clock of a page is exact to 5 µs only then. */
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }

async function open(file: string): Promise<Page> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'cards', file)],
    bundle: true,
    minify: true,
    format: 'iife',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
    outdir: 'out',
    logLevel: 'error',
  })
  const page = await browser.newPage()
  const failures: unknown[] = []
  page.on('pageerror', (error) => failures.push(error))
  await page.route('https://cards.test/', (route) =>
    route.fulfill({ headers: ISOLATED, contentType: 'text/html', body: '<!doctype html><title>cards</title>' }),
  )
  await page.goto('https://cards.test/')
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
  await page.evaluate((count) => (window as unknown as { cards: CardsPage }).cards.mount(count), CARDS)
  if (failures.length > 0) throw failures[0]
  return page
}

const pages = new Map<string, Page>()
for (const [name, file] of Object.entries(PAGES)) pages.set(name, await open(file))
const change = async (name: string, n: number): Promise<Taken> => {
  const page = pages.get(name) as Page
  await page.bringToFront()
  return await page.evaluate((n) => (window as unknown as { cards: CardsPage }).cards.change(n), n)
}
const taken = await rounds<string, Taken>(
  ROUNDS,
  // Each card is answered once; they are spread over the whole list.
  Object.fromEntries(
    Object.keys(PAGES).map((name) => [name, (round: number) => change(name, (round + WARM_UP) * 139 + 70)]),
  ),
  { warmUp: WARM_UP },
)
await browser.close()

const ms = (name: string) => (taken[name] ?? []).map((one) => one.ms)
const most = (name: string) => Math.max(...(taken[name] ?? []).map(({ rendered }) => rendered))
const others = (value: (name: string) => number) => [
  { name: 'zustand, selectors', version: versionOf('zustand'), value: value('zustand') },
  { name: 'rows in memo', value: value('rows in memo') },
]
const scenario = `${CARDS.toLocaleString('en-US')} cards on a page, one changes`
const results: Result[] = [
  {
    id: 'rendered',
    scenario,
    figure: 'components rendered',
    unit: '',
    better: 'lower',
    value: most('Holdpoint'),
    target: 1,
    peers: others(most),
  },
  {
    id: 'ms',
    scenario,
    figure: 'event → committed, p50',
    unit: 'ms',
    better: 'lower',
    value: median(ms('Holdpoint')),
    spread: spread(ms('Holdpoint')),
    limit: { name: 'React by itself', value: median(ms('React by itself')) },
    peers: others((name) => median(ms(name))),
  },
]
report({
  about: `${ROUNDS} interleaved rounds after ${WARM_UP}, React ${versionOf('react')}, Chromium ${browser.version()}`,
  results,
  rows: {
    [scenario]: Object.keys(PAGES).map((name) => ({
      name,
      'ms, p50': digits(median(ms(name))),
      least: digits(Math.min(...ms(name))),
      most: digits(Math.max(...ms(name))),
      'components rendered': most(name),
    })),
  },
})
