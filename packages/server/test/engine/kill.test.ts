import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seeded, seedOr } from '@holdpoint/conformance/seeded'
import { createHoldpoint } from '@holdpoint/server'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { killable, startKillable } from './kill/killed-process.ts'
import { type Asked, type FromChild, kindOf, sessionOf } from './kill/messages.ts'
import { type Acknowledged, checkHistory } from './support/check-history.ts'
import { until } from './support/nodes.ts'

/**
 * A process on SQLite is killed with -9 at seeded random moments and started again, over and over. Then what was
 * acknowledged, what handlers did and what was delivered are compared.
 * HOLDPOINT_KILLS: rounds, 200 where CI is true; HOLDPOINT_SEED: which moments.
 */
const ROUNDS = Number(process.env.HOLDPOINT_KILLS ?? (process.env.CI === 'true' ? 200 : 40))
const SEED = seedOr(20_301)
const TASKS_A_ROUND = 3
const LEASE_MS = 300
const AGAIN = 60

test(`no interaction is lost or executed twice after ${ROUNDS} times kill -9, seed ${SEED} [R3.1]`, {
  timeout: 300_000 + ROUNDS * 5_000,
}, async () => {
  const random = seeded(SEED)
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-kill-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'data.db')
  const file = await killable()
  const journal = join(folder, 'journal')
  writeFileSync(journal, '')

  const acknowledged = new Map<string, Acknowledged & { toolCallId: string; sessionId: string }>()
  const begun = new Set<string>()
  let kills = 0

  const round = async (tasks: number[], end: () => Promise<unknown>) => {
    const child = startKillable(file, { path, journal, tasks, leaseMs: LEASE_MS }, (message) => hear(message))
    const asked = new Map<string, Asked>()
    const hear = (message: FromChild) => {
      if (message.type === 'asked') {
        const { question } = message
        asked.set(question.interactionId, question)
        begun.add(question.toolCallId)
        setTimeout(() => child.answer(question, actionFor(question)), random() * 25)
      } else if (message.type === 'ack' && message.status === 200) {
        const { interactionId } = message
        const question = asked.get(interactionId)!
        acknowledged.set(interactionId, { ...question, answerId: `a-${interactionId}`, action: actionFor(question) })
      } else if (message.type === 'ack') throw new Error(`an answer was refused with ${message.status}`)
    }
    await within(child.began, `the first word of the process, in round ${kills}`)
    // Where others work too, a process may not have come far by itself.
    await Promise.race([child.asked, new Promise((resolve) => setTimeout(resolve, 5_000))])
    await end()
    await within(child.kill(), `the end of the process that was killed in round ${kills}`)
  }
  // A call that is only recovered is made by its host once; one that ended long ago is not made again, or a thousand
  // rounds would mostly do that.
  const toMake = (upTo: number) => {
    const ended = outcomes(readJournal(journal))
    return numbers(upTo).filter((task) => {
      const call = `call-${task}`
      return kindOf(task) === 'recovered' ? !begun.has(call) : task >= upTo - AGAIN || !ended.has(call)
    })
  }

  for (; kills < ROUNDS; kills++) {
    await round(toMake((kills + 1) * TASKS_A_ROUND), () => new Promise((resolve) => setTimeout(resolve, random() * 60)))
  }
  const all = ROUNDS * TASKS_A_ROUND
  await round(toMake(all), async () => {
    const notified = () => {
      const settled = distinct(readJournal(journal), 'settled')
      return [...acknowledged.keys()].every((id) => settled.has(id))
    }
    const finished = () => outcomes(readJournal(journal)).size === all && notified()
    await until(finished, 'an end of all tasks', 120_000).catch((late: Error) => {
      const ended = outcomes(readJournal(journal))
      const missing = numbers(all).filter((task) => !ended.has(`call-${task}`))
      const named = missing.map((task) => `call-${task} (${kindOf(task)})`)
      throw new Error(`${late.message}; without an end: ${named.join(', ')}`, { cause: late })
    })
  })

  const lines = readJournal(journal)
  const reader = createHoldpoint({ store: sqliteStore({ path }) })
  onTestFinished(() => reader.close())
  for (const sessionId of new Set(numbers(all).map(sessionOf))) {
    await checkHistory(
      reader,
      [...acknowledged.values()].filter((one) => one.sessionId === sessionId),
      sessionId,
    )
  }
  expect(lines.filter(([what]) => what === 'refused' || what === 'follow-up')).toEqual([])
  const effects = distinct(lines, 'effect')
  const handled = distinct(lines, 'handled')
  const deliveries = distinct(lines, 'delivered')
  const settled = distinct(lines, 'settled')
  for (const { interactionId, action } of acknowledged.values()) {
    const outcome = action === 'deny' ? 'denied' : 'approved'
    expect([...(settled.get(interactionId) ?? [])], 'its settled notice').toEqual([`${interactionId}.${outcome}`])
  }
  const ended = outcomes(lines)
  for (const task of numbers(all)) {
    const id = `call-${task}`
    const expected = actionFor({ toolCallId: id }) === 'approve' ? '"approved"' : '"denied"'
    expect([...(ended.get(id) ?? [])], `${id}: one result, and the one that was given`).toEqual([expected])
    expect(deliveries.get(id)?.size ?? 0, `${id}: deliveries`).toBeLessThanOrEqual(1)
    if (kindOf(task) === 'bare') expect(handled.get(id)?.size, `${id}: answers that were handled`).toBe(2)
    else expect(effects.get(id)?.size, `${id}: effects`).toBe(1)
  }
  expect(acknowledged.size).toBeGreaterThan(ROUNDS / 2)
})

/** Names what did not arrive in time; the runner's own limit would not. */
async function within<T>(work: Promise<T>, what: string, ms = 60_000): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${ms / 1_000} s`)), ms)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const actionFor = ({ toolCallId }: { toolCallId: string }) => (toolCallId.endsWith('3') ? 'deny' : 'approve')
const numbers = (upTo: number) => Array.from({ length: upTo }, (_, n) => n)

function readJournal(journal: string): string[][] {
  return readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '))
}

/** The different ids that a kind of line names for each call. */
function distinct(lines: string[][], kind: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [what, call = '', id = ''] of lines) {
    if (what === kind) found.set(call, (found.get(call) ?? new Set()).add(id))
  }
  return found
}

/** The different results that came out of each call, by promise or delivery. */
function outcomes(lines: string[][]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [what, call = '', ...rest] of lines) {
    if (what !== 'promised' && what !== 'delivered') continue
    found.set(call, (found.get(call) ?? new Set()).add(rest.at(-1) ?? ''))
  }
  return found
}
