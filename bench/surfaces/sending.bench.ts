import { createHoldpoint, type Holdpoint, type LifecycleEvent } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { addSurfaces } from '@holdpoint/server/surfaces'
import { person } from '../support/person.ts'
import { report } from '../support/report.ts'
import { rounds } from '../support/rounds.ts'
import { digits, median, quantile } from '../support/statistics.ts'
import { countingProvider } from './provider.ts'

/**
 * Sending notifications. First, 10,000 questions are asked at once, and each has its message: how many calls run at the same
 * time, and how much memory do they need? Then questions are asked and answered at a steady rate, with surfaces and
 * without, in turns: does the answer path become slower? HOLDPOINT_MESSAGES, HOLDPOINT_ROUNDS.
 */
const MESSAGES = Number(process.env.HOLDPOINT_MESSAGES ?? 10_000)
const ROUNDS = Number(process.env.HOLDPOINT_ROUNDS ?? 6)
const AT_ONCE = 200
const PER_ROUND = Math.ceil(MESSAGES / ROUNDS)
const PER_SECOND = 250
const PROVIDER_MS = 5
const USERS = 50

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

function node({ withSurfaces }: { withSurfaces: boolean }) {
  const people = Array.from({ length: USERS }, (_, n) => person(`user-${n}`))
  const provider = countingProvider(PROVIDER_MS)
  const onEvent = (event: LifecycleEvent) => {
    for (const one of people) one.onEvent(event)
  }
  const { store, calls } = countedStore()
  const holdpoint = createHoldpoint({ store, logger: quiet, hooks: { onEvent } })
  const pages = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
  if (withSurfaces) addSurfaces(holdpoint, { pages, surfaces: [provider.surface] })
  return { people, holdpoint, provider, calls }
}

/** A store that counts what the process asks of it. */
function countedStore() {
  const store = memoryStore()
  let count = 0
  const counted =
    <T extends unknown[], R>(call: (...args: T) => R) =>
    (...args: T) => {
      count++
      return call(...args)
    }
  const { load, list, byTag, due, snapshot, commit } = store
  const all = { load, list, byTag, due, snapshot, commit }
  for (const [name, call] of Object.entries(all)) Object.assign(store, { [name]: counted(call as () => unknown) })
  return { store, calls: () => count }
}

const ask = (holdpoint: Holdpoint, name: string, n: number) =>
  holdpoint
    .session(name, { userId: `user-${n % USERS}` })
    .toolCall({ runId: 'run', toolCallId: name, toolName: 'delete_files' })
    .tryApprove({ prompt: 'Delete 3 files?' })

/** The heap after everything that is not needed was collected. */
function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

async function burst() {
  const { people, holdpoint, provider } = node({ withSurfaces: true })
  const began = performance.now()
  for (let first = 0; first < MESSAGES; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, MESSAGES - first) }, (_, n) => first + n)
    const heard = numbers.map((n) => people[n % USERS]?.heard(`burst-${n}`))
    for (const n of numbers) void ask(holdpoint, `burst-${n}`, n).catch(() => {})
    await Promise.all(heard)
  }
  const asked = heap()
  const sentBefore = provider.counts.sent
  let peak = 0
  while (provider.counts.sent < MESSAGES) {
    await pause(2_000)
    peak = Math.max(peak, heap() - asked)
  }
  const seconds = (performance.now() - began) / 1_000
  if (provider.recipients() !== MESSAGES || provider.counts.sent !== MESSAGES) {
    throw new Error(`${provider.counts.sent} messages for ${provider.recipients()} of ${MESSAGES} questions`)
  }
  await holdpoint.close()
  return { seconds, most: provider.counts.most, peakKiB: peak / 1_024, during: MESSAGES - sentBefore }
}

interface Steady {
  times: number[]
  /** The most calls to the store between an answer and its resumed tool call, those of other work included. */
  most: number
  /** Processor time of the whole process for each question, in milliseconds: its sending is included. */
  cpuMs: number
}

/** Questions that are asked at a steady rate and answered a second later; the time from each answer to its resumed call. */
async function steady({ people, holdpoint, calls }: ReturnType<typeof node>, round: number): Promise<Steady> {
  const times: number[] = []
  let most = 0
  const used = process.cpuUsage()
  const running: Promise<void>[] = []
  const one = async (n: number) => {
    const name = `steady-${round}-${n}`
    const ada = people[n % USERS] ?? person()
    const heard = ada.question(holdpoint, name, name)
    const resumed = ask(holdpoint, name, n).then(() => ({ at: performance.now(), calls: calls() }))
    const question = await heard
    await pause(1_000)
    const [began, before] = [performance.now(), calls()]
    await ada.approve(holdpoint, name, question)
    const end = await resumed
    times.push(end.at - began)
    most = Math.max(most, end.calls - before)
  }
  const began = performance.now()
  for (let n = 0; n < PER_ROUND; n++) {
    const early = began + (n * 1_000) / PER_SECOND - performance.now()
    if (early > 0) await pause(early)
    running.push(one(n))
  }
  await Promise.all(running)
  const { user, system } = process.cpuUsage(used)
  return { times, most, cpuMs: (user + system) / 1_000 / PER_ROUND }
}

const { seconds, most, peakKiB, during } = await burst()
const [plain, sending] = [node({ withSurfaces: false }), node({ withSurfaces: true })]
const measured = await rounds<'plain' | 'sending', Steady>(
  ROUNDS,
  { plain: (round) => steady(plain, round), sending: (round) => steady(sending, round) },
  { warmUp: 1 },
)
const times = { plain: measured.plain.map(({ times }) => times), sending: measured.sending.map(({ times }) => times) }
const mostCalls = Math.max(...measured.sending.map(({ most }) => most))
const ratio = (share: number) => {
  const ratios = times.plain.map((all, n) => quantile(times.sending[n] ?? [], share) / quantile(all, share))
  return { value: median(ratios), spread: [Math.min(...ratios), Math.max(...ratios)] as const }
}
const sent = sending.provider.counts.sent
await plain.holdpoint.close()
await sending.holdpoint.close()

const scenario = `${MESSAGES.toLocaleString('en-US')} questions at once, a message for each, memory store`
const load = `${PER_SECOND} questions a second, asked and answered, with a message for each`
report({
  about: `${MESSAGES} messages, a provider of ${PROVIDER_MS} ms; ${ROUNDS} rounds of ${PER_ROUND} questions, ${sent} messages in them`,
  results: [
    {
      id: 'at-once',
      scenario,
      figure: 'calls of the provider at the same time',
      unit: '',
      better: 'lower',
      value: most,
      target: 8,
    },
    {
      ...{
        id: 'heap',
        scenario,
        figure: 'heap that sending adds, at its peak',
        unit: 'KiB a message',
        better: 'lower',
      },
      ...{ value: Math.max(0, peakKiB) / during, target: 2 },
    },
    {
      id: 'rate',
      scenario,
      figure: 'messages',
      unit: 'a second',
      better: 'higher',
      value: Math.round(MESSAGES / seconds),
    },
    {
      ...{ id: 'answer-p50', scenario: load, figure: 'answer → tool continues, p50', unit: '× without surfaces' },
      ...{ better: 'lower', target: 1.1, ...ratio(0.5) },
    },
    {
      ...{ id: 'answer-calls', scenario: load, figure: 'calls to the store between an answer and its tool', unit: '' },
      ...{ better: 'lower', value: mostCalls, target: 2 },
    },
    {
      ...{ id: 'answer-p99', scenario: load, figure: 'answer → tool continues, p99', unit: '× without surfaces' },
      ...{ better: 'lower', ...ratio(0.99) },
    },
  ],
  rows: {
    'answer → tool continues, ms': (['plain', 'sending'] as const).map((leg) => ({
      leg,
      p50: digits(quantile(times[leg].flat(), 0.5)),
      p99: digits(quantile(times[leg].flat(), 0.99)),
      'processor time a question': digits(median(measured[leg].map(({ cpuMs }) => cpuMs))),
    })),
  },
})
process.exit(0)
