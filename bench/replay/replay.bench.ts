import type { SessionState } from '@holdpoint/core'
import { createSseReader } from '@holdpoint/core/internal'
import { initialState, transition } from '@holdpoint/core/machine'

import { createParser } from 'eventsource-parser'
import { report, versionOf } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { rounds } from '../support/rounds.ts'
import { digits, median, ratios, spread } from '../support/statistics.ts'
import { type Mix, recordedLog } from './log.ts'

/**
 * A client that joins late reads the whole log. Measures the cost beyond the necessary work with the same bytes:
 * parsing the event stream, and JSON.parse for each event. Rounds are interleaved, so that all run under the same
 * conditions, and only this thread's own time counts.
 */
const EVENTS = 10_000
const ROUNDS = 25
/** A thread's time is counted in ticks: a leg must be long beside one. */
const RUNS_A_LEG = 10
const TARGET = 1.25

const fail = (why: string): never => {
  throw new Error(why)
}
const quiet = { reset() {}, alive() {}, malformed: ({ message }: { message: string }) => fail(message) }

function contestants(mix: Mix) {
  const { chunks, bytes, questions } = recordedLog(EVENTS, mix)

  function floor(): number {
    let seen = 0
    const parser = createParser({
      onEvent: ({ data }) => {
        if (JSON.parse(data)) seen++
      },
    })
    const decoder = new TextDecoder()
    for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }))
    return seen
  }

  /**
   * The data that every reader of a session has to keep: questions, and the input, logs and output of calls. It costs
   * garbage collection.
   */
  function kept(): number {
    const held: unknown[] = []
    let seen = 0
    const parser = createParser({
      onEvent: ({ data }) => {
        const event = JSON.parse(data)
        if (event.type.startsWith('tool_call')) held.push(event.input, event.output, event.logs)
        else if (event.type.startsWith('interaction')) held.push(event)
        seen++
      },
    })
    const decoder = new TextDecoder()
    for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }))
    return held.length ? seen : 0
  }

  function decoded(): number {
    let seen = 0
    const feed = createSseReader({
      ...quiet,
      events: (batch) => {
        seen += batch.length
      },
    })
    for (const chunk of chunks) feed(chunk)
    return seen
  }

  function replayed(): number {
    let seen = 0
    let state: SessionState = initialState({ sessionId: 'task-42', clientId: 'tab-1' })
    const feed = createSseReader({
      ...quiet,
      events: (batch) => {
        seen += batch.length
        state = transition(state, { type: 'events', events: batch }, 0)[0]
      },
    })
    for (const chunk of chunks) feed(chunk)
    if (state.interactions.size !== questions)
      fail(`The state has ${state.interactions.size} of ${questions} questions.`)
    return seen
  }

  return {
    bytes,
    questions,
    runs: {
      'SSE parse + JSON.parse': floor,
      'and keeping what is shown': kept,
      '+ guards': decoded,
      '+ state machine': replayed,
    },
  }
}

const BASE = 'SSE parse + JSON.parse'
const KEPT = 'and keeping what is shown'
const OURS = '+ state machine'

async function measure(mix: Mix) {
  const { bytes, questions, runs } = contestants(mix)
  const leg = (name: string, run: () => number) => () => {
    const began = process.threadCpuUsage()
    for (let i = 0; i < RUNS_A_LEG; i++) if (run() !== EVENTS) fail(`${name} lost events.`)
    const { user, system } = process.threadCpuUsage(began)
    return (user + system) / 1000 / RUNS_A_LEG
  }
  const times = await rounds(
    ROUNDS,
    Object.fromEntries(Object.entries(runs).map(([name, run]) => [name, leg(name, run)])),
    { warmUp: 3 },
  )
  const of = (name: string) => times[name] ?? []
  const toBase = (name: string) => ratios(of(name), of(BASE))
  const what = { tools: 'tool calls and questions', text: 'four fifths of it text' }[mix]
  const scenario = `a client reads a log of ${EVENTS.toLocaleString('en-US')} events, ${what}`
  const kept = median(toBase(KEPT))
  const base = { scenario, better: 'lower' } as const
  const results: Result[] = [
    {
      ...base,
      id: mix,
      figure: 'CPU',
      unit: '× SSE parse + JSON.parse',
      value: median(toBase(OURS)),
      spread: spread(toBase(OURS)),
      target: TARGET,
      limit: { name: `both with eventsource-parser ${versionOf('eventsource-parser')}`, value: 1 },
      peers: [{ name: 'both, and keeping what cards show', value: kept }],
      why: `keeping the data alone costs ${digits(kept)}; guards ${digits(median(toBase('+ guards')))} without the machine`,
    },
    {
      ...base,
      id: `${mix}-ms`,
      figure: 'CPU',
      unit: 'ms',
      value: median(of(OURS)),
      spread: spread(of(OURS)),
      limit: { name: BASE, value: median(of(BASE)) },
    },
  ]
  const rows = Object.keys(times).map((name) => ({
    name,
    ms: digits(median(of(name))),
    ratio: digits(median(toBase(name))),
  }))
  return {
    results,
    title: `${mix}: ${EVENTS} events of ${Math.round(bytes / EVENTS)} bytes, ${questions} questions`,
    rows,
  }
}

const mixes = [await measure('tools'), await measure('text')]
report({
  about: `${ROUNDS} interleaved rounds of ${RUNS_A_LEG} replays; only the thread's own time counts`,
  results: mixes.flatMap(({ results }) => results),
  rows: Object.fromEntries(mixes.map(({ title, rows }) => [title, rows])),
})
