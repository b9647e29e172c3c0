import { spawn, spawnSync } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { seedOr } from '@holdpoint/conformance/seeded'
import { expect, onTestFinished, test } from 'vitest'
import type { StoreKind } from '../../bench/soak/own-store.ts'
import type { Ended, Setup } from './soak.child.ts'

/** 2 minutes where CI is set, 20 seconds elsewhere. */
const MINUTES = Number(process.env.HOLDPOINT_SOAK_MINUTES ?? (process.env.CI ? 2 : 1 / 3))
/** Which faults come when, and what people do. */
const SEED = seedOr(20_307)
const FLAGS = ['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning', '--expose-gc']

/** The soak of `bench/soak`, short. Each store has a file of its own, so that stores run side by side. */
export function soakTest(store: StoreKind): void {
  test(`nothing is lost, repeated or left open after ${Math.round(MINUTES * 60)} s of faults, seed ${SEED}`, {
    timeout: MINUTES * 60_000 + 600_000,
  }, async () => {
    const cables = watchCables()
    const { violations, counts, logged } = await soakApart({ store, seed: SEED, ms: MINUTES * 60_000, execArgv: FLAGS })
    expect(cables(), 'devices of the soak in the network of the machine').toEqual([])
    expect(violations, `seed ${SEED}: ${logged.join('; ')}`).toEqual([])
    // The soak exercised the system: people answered, tools resumed, and clients received events.
    for (const what of ['answers accepted', 'effects', 'events seen']) expect(counts[what], what).toBeGreaterThan(0)
  })
}

/** Returns a function that lists the soak's network devices that the machine has had so far. */
function watchCables(): () => string[] {
  const seen = new Set<string>()
  const timer = setInterval(() => {
    for (const name of Object.keys(networkInterfaces())) if (/^hp[0-9a-z]+\d[cs]$/.test(name)) seen.add(name)
  }, 500)
  onTestFinished(() => clearInterval(timer))
  return () => [...seen]
}

/**
 * Runs the soak in a process with a network of its own, where the system allows one. In the network of the machine, each
 * cable that the soak adds or pulls would make Chromium drop the connections of all pages that other tests have open.
 */
function soakApart(setup: Setup): Promise<Ended> {
  const own = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'soak']
  const within = spawnSync('unshare', [...own.slice(1), 'true'], { stdio: 'ignore' }).status === 0 ? own : []
  const file = join(import.meta.dirname, 'soak.child.ts')
  const [command = '', ...args] = [...within, process.execPath, ...FLAGS, file, JSON.stringify(setup)]
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  onTestFinished(async () => {
    child.kill()
    await gone
  })
  return new Promise((resolve, reject) => {
    child.once('message', (ended: Ended) => resolve(ended))
    child.once('error', reject)
    child.once('exit', (code, signal) => reject(new Error(`the soak ended with ${signal ?? code} and no report`)))
  })
}
