import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTokenManager } from '@holdpoint/core/tokens'
import { report } from '../support/report.ts'
import { rounds } from '../support/rounds.ts'
import { median, spread } from '../support/statistics.ts'

/** Reading a token that is still good: what every request of a client pays. And what a herd pays at expiry. */
const CALLS = 300_000
const FILE_CALLS = 5_000
const ROUNDS = 15
const HALF_HOUR = 1_800_000
const HERD = 1_000
const SERVICE_MS = 5

const held = { accessToken: 'token', expiresAt: Date.now() + HALF_HOUR }
const tokens = createTokenManager({ refresh: async () => held })
await tokens.signIn(held)
const folder = mkdtempSync(join(tmpdir(), 'hp-bench-'))
const file = join(folder, 'tokens.json')
writeFileSync(file, JSON.stringify(held))

let sink: unknown
/** Nanoseconds a call. */
const cost = (calls: number, leg: (calls: number) => unknown) => async () => {
  const began = performance.now()
  await leg(calls)
  return ((performance.now() - began) * 1e6) / calls
}
const legs = {
  plain: cost(CALLS, (calls) => {
    for (let n = 0; n < calls; n++) if (Date.now() < held.expiresAt) sink = held.accessToken
  }),
  warm: cost(CALLS, (calls) => {
    for (let n = 0; n < calls; n++) sink = tokens.token()
  }),
  plainAwaited: cost(CALLS, async (calls) => {
    for (let n = 0; n < calls; n++) if (Date.now() < held.expiresAt) sink = await held.accessToken
  }),
  warmAwaited: cost(CALLS, async (calls) => {
    for (let n = 0; n < calls; n++) sink = await tokens.token()
  }),
  // The cost of a program that reads its file before each request.
  fromFile: cost(FILE_CALLS, (calls) => {
    for (let n = 0; n < calls; n++) {
      const read = JSON.parse(readFileSync(file, 'utf8'))
      if (Date.now() < read.expiresAt) sink = read.accessToken
    }
  }),
}
const ns = await rounds(ROUNDS, legs, { warmUp: 3 })
rmSync(folder, { recursive: true })
const over = ns.warm.map((value, round) => value - (ns.plain[round] ?? Number.NaN))

let refreshes = 0
const herd = createTokenManager({
  refresh: async () => {
    refreshes++
    await new Promise((done) => setTimeout(done, SERVICE_MS))
    return { accessToken: 'new', refreshToken: 'r', expiresAt: Date.now() + HALF_HOUR }
  },
})
await herd.signIn({ accessToken: 'old', refreshToken: 'r', expiresAt: Date.now() - 1 })
const began = performance.now()
await Promise.all(Array.from({ length: HERD }, () => herd.token()))
const herdMs = performance.now() - began
if (sink === undefined) throw new Error('no token was read')

const scenario = 'a token that is still good'
report({
  about: `${ROUNDS} interleaved rounds of ${CALLS} reads`,
  results: [
    {
      id: 'over',
      scenario,
      figure: 'token(), beyond reading a property and looking at the clock',
      unit: 'ns',
      better: 'lower',
      value: median(over),
      spread: spread(over),
      target: 1_000,
    },
    {
      id: 'call',
      scenario,
      figure: 'await token()',
      unit: 'ns',
      better: 'lower',
      value: median(ns.warmAwaited),
      spread: spread(ns.warmAwaited),
      limit: { name: 'an awaited property', value: median(ns.plainAwaited) },
      peers: [{ name: 'a file read and parsed each time', value: median(ns.fromFile) }],
    },
    {
      id: 'herd',
      scenario: `${HERD.toLocaleString('en-US')} callers at the moment of expiry`,
      figure: 'refreshes',
      unit: '',
      better: 'lower',
      value: refreshes,
      target: 1,
    },
  ],
  rows: {
    'nanoseconds a call': Object.entries(ns).map(([name, list]) => ({ name, median: Math.round(median(list)) })),
    'at expiry': [{ callers: HERD, refreshes, ms: +herdMs.toFixed(1), 'the service takes': SERVICE_MS }],
  },
})
