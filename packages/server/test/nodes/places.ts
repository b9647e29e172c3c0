import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWith, type Found, postgresUrl, redisUrl } from '@holdpoint/conformance/services'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import type { StoreSetup } from './commands.ts'

/** A suite for each of these stores; all of them can be shared by several processes. */
export async function onStores(
  name: string,
  stores: readonly StoreSetup['kind'][],
  body: (world: () => World) => void,
): Promise<void> {
  for (const store of stores) {
    const [found, at] = await places[store]()
    describeWith(`${name} on ${store}`, found, (url) => body(() => newWorld(at(url))))
  }
}

type MakePlace = (unique: string, folder: string) => StoreSetup

const places: Record<StoreSetup['kind'], () => Promise<[Found, (url: string) => MakePlace]>> = {
  sqlite: async () => [
    { value: 'a file' },
    () => (_unique, folder) => ({ kind: 'sqlite', path: join(folder, 'data.db') }),
  ],
  postgres: async () => [await postgresUrl(), (url) => (unique) => ({ kind: 'postgres', url, schema: unique })],
  redis: async () => [await redisUrl(), (url) => (unique) => ({ kind: 'redis', url, prefix: unique })],
}

/** The folder and ports that the processes of one test share; removed after it. */
export interface World {
  store: StoreSetup
  /** The file in which tools note their effects. */
  file: string
  /** The effects of tools, one per line: the word, the mark, and the node. */
  effects(word: string): string[]
}

function newWorld(place: MakePlace): World {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-nodes-'))
  const file = join(folder, 'effects')
  const store = place(`hp_nodes_${crypto.randomUUID().slice(0, 8)}`, folder)
  writeFileSync(file, '')
  onTestFinished(async () => {
    await drop(store)
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    store,
    file,
    effects: (word) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith(`${word} `)),
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export async function until(check: () => boolean | Promise<boolean>, timeoutMs = 30_000, everyMs = 25): Promise<void> {
  for (const end = performance.now() + timeoutMs; !(await check()); ) {
    if (performance.now() > end) throw new Error('It did not come true in time')
    await pause(everyMs)
  }
}

async function drop(store: StoreSetup): Promise<void> {
  if (store.kind === 'postgres') {
    const client = new Client(store.url)
    await client.connect()
    await client.query(`DROP SCHEMA IF EXISTS "${store.schema}" CASCADE`)
    await client.end()
  }
  if (store.kind === 'redis') {
    const client = new Redis(store.url)
    for await (const keys of client.scanStream({ match: `${store.prefix}*`, count: 1_000 })) {
      if (keys.length > 0) await client.unlink(...(keys as string[]))
    }
    await client.quit()
  }
}
