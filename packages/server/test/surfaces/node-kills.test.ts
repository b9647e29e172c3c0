import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seeded, seedOr } from '@holdpoint/conformance/seeded'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onStores, type World } from '../nodes/places.ts'
import { checkMessages } from './kill/check-messages.ts'
import type { LifeSetup } from './kill/messages.ts'

/**
 * A process that asks, sends, changes and answers is killed with -9 at a seeded step, and the next one continues on the
 * same store. HOLDPOINT_NODE_KILLS: how many, on each store; HOLDPOINT_SEED: at which steps; HOLDPOINT_SURFACE_STORE: the only
 * store. The memory store dies with its process: kills.test.ts kills there at calls to the store.
 */
const KILLS = Number(process.env.HOLDPOINT_NODE_KILLS ?? 8)
const SEED = seedOr(1_818)
const ALL = ['sqlite', 'postgres', 'redis'] as const
const STORES = ALL.filter((store) => (process.env.HOLDPOINT_SURFACE_STORE ?? store) === store)
const MOST_STEPS = { all: 120, provider: 4 }
const LATEST_MS = 1_500
/** A life mostly waits, for leases and for its last moment, so several stores have one at the same time. */
const MOST_CHAINS = 4
const CHILD = fileURLToPath(new URL('./kill/life.child.ts', import.meta.url))

/** The program of a life in one file: otherwise loading the sources takes most of the time of a life. */
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-lives-'))
const program = join(folder, 'life.mjs')
beforeAll(async () => {
  await build({
    ...{ entryPoints: [CHILD], outfile: program, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    ...{ conditions: ['holdpoint-source'], external: ['pg-native'] },
    // Drivers of databases are CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Resolves with how the life ended. */
function live(setup: LifeSetup): Promise<string | number | null> {
  const flags = ['--disable-warning=ExperimentalWarning']
  const child = spawn(process.execPath, [...flags, program, JSON.stringify(setup)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
}

/** Lives one after the other on one store and one provider, each killed, and a last one that completes everything. */
async function chainOf({ store, file: log }: World, lives: number, chainSeed: number, finds: boolean) {
  const random = seeded(chainSeed)
  for (let life = 0; life < lives; life++) {
    const of = random() < 0.4 ? 'provider' : 'all'
    const crash = { of, step: 1 + Math.floor(random() * MOST_STEPS[of]) } as const
    const seed = Math.floor(random() * 1e9)
    expect(await live({ store, log, life, seed, finds, crash, latestMs: LATEST_MS })).toBe('SIGKILL')
  }
  expect(await live({ store, log, life: lives, seed: chainSeed, finds })).toBe(0)
  return { store: store.kind, finds, chainSeed, ...checkMessages(readFileSync(log, 'utf8'), { finds }) }
}

await onStores(`${KILLS} × kill -9 of a node with surfaces, seed ${SEED}`, STORES, (newWorld) => {
  test.each([
    ['finds its messages', true],
    ['recognizes nothing', false],
  ])(
    'every question is notified, no message is repeated outside of the window of a provider that %s, and one answer wins',
    { timeout: 300_000 + KILLS * 10_000 },
    async (_name, finds) => {
      const kills = Math.ceil(KILLS / 2)
      const chains = Math.max(1, Math.min(MOST_CHAINS, Math.floor(kills / 10)))
      const own = Array.from({ length: chains }, (_, n) => Math.floor(kills / chains) + (n < kills % chains ? 1 : 0))
      const all = await Promise.all(
        own.map((lives, n) => chainOf(newWorld(), lives, SEED + 2 * n + (finds ? 1 : 0), finds)),
      )
      const sum = (of: 'deaths' | 'questions' | 'messages') => all.reduce((total, one) => total + one[of], 0)
      expect([sum('deaths'), all.flatMap(({ errors }) => errors)]).toEqual([kills, []])
      // A long run that asks or sends next to nothing would prove nothing. How far a short one comes depends on the machine.
      if (kills >= 100) expect(Math.min(sum('questions'), sum('messages'))).toBeGreaterThan(kills / 4)
      if (process.env.HOLDPOINT_NODE_KILLS) for (const one of all) console.log(JSON.stringify(one))
    },
  )
})
