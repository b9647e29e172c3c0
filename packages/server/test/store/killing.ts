import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '@holdpoint/server/store'

import { expect } from 'vitest'

export interface Ack {
  partition: string
  seq: number
  json: string
  id: string
}

const CHILD = join(import.meta.dirname, 'append.child.ts')

/** Runs processes that commit without end, two at a time on one store, and kills each at a moment of its own. */
export async function killedAppenders(plan: {
  kind: string
  where: string
  kills: number
  seed: number
}): Promise<Ack[]> {
  const acks: Ack[] = []
  const random = generator(plan.seed)
  let killed = 0
  const lane = async () => {
    while (killed < plan.kills) {
      const run = `run${killed++}`
      acks.push(...(await killedAppender(plan.kind, plan.where, run, 5 + random() * 120)))
    }
  }
  await Promise.all([lane(), lane()])
  return acks
}

/** Reads what the appenders write meanwhile: head and rows must be of one moment, page and head too. */
export async function whileLooking<T>(store: Store, work: Promise<T>): Promise<T> {
  let working = true
  const done = work.finally(() => {
    working = false
  })
  let looks = 0
  while (working) {
    const { head, rows } = await store.snapshot('p0', ['k'])
    if (head) {
      looks++
      const [run, n] = JSON.parse(head.json)
      expect(rows.find(({ id }) => id === `${run}-${n}`)?.data).toBe(head.json)
      const page = await store.readLog('p0', { from: head.seq, limit: 1_000_000 })
      expect(page.events.at(-1)?.seq).toBe(page.head)
    }
    await sleep(1)
  }
  expect(looks).toBeGreaterThan(50)
  return await done
}

async function killedAppender(kind: string, where: string, run: string, afterMs: number): Promise<Ack[]> {
  const child = spawn(process.execPath, ['--conditions=holdpoint-source', CHILD, kind, where, run], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (text) => {
    complaint += text
  })
  const exited = once(child, 'exit')
  const acks: Ack[] = []
  const lines = createInterface({ input: child.stdout })
  const read = once(lines, 'close')
  lines.on('line', (line) => {
    // The kill may cut the last line short; what was not said whole was not acknowledged.
    if (line.endsWith('}')) acks.push(JSON.parse(line))
  })
  await Promise.race([once(lines, 'line'), exited])
  await sleep(afterMs)
  child.kill('SIGKILL')
  const [, signal] = await exited
  await read
  if (signal !== 'SIGKILL') throw new Error(`the child ended by itself: ${complaint}`)
  return acks
}

/** A small generator with a seed, so that the moments of a failed run can be had again. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
