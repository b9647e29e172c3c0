import { initialState, type SessionState, transition } from '@holdpoint/core/machine'
import { createSseReader } from '@holdpoint/core/wire'
import { createParser } from 'eventsource-parser'
import { type Mix, recordedLog } from './log.ts'

/**
 * A client that joins late reads the whole log. What that costs above the least that anybody must do with the same
 * bytes: parse the event stream and JSON.parse each event. Rounds are interleaved, so that all see the same machine,
 * and only this thread's own time counts.
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

  /** What every reader of a session has to hold: questions, and what calls take, say and give. It costs the collector. */
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

const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

function measure(mix: Mix) {
  const { bytes, questions, runs } = contestants(mix)
  const times = new Map<string, number[]>(Object.keys(runs).map((name) => [name, []]))
  for (let round = -3; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(runs)) {
      const began = process.threadCpuUsage()
      for (let i = 0; i < RUNS_A_LEG; i++) if (run() !== EVENTS) fail(`${name} lost events.`)
      const { user, system } = process.threadCpuUsage(began)
      if (round >= 0) times.get(name)?.push((user + system) / 1000 / RUNS_A_LEG)
    }
  }
  const base = times.get('SSE parse + JSON.parse') ?? []
  const rows = [...times].map(([name, list]) => ({
    name,
    ms: +median(list).toFixed(2),
    /** The median of each round's own ratio: a slow moment slows all and leaves the ratio. */
    ratio: +median(list.map((time, i) => time / (base[i] ?? Number.NaN))).toFixed(3),
  }))
  console.log(`\n${mix}: ${EVENTS} events of ${Math.round(bytes / EVENTS)} bytes, ${questions} questions`)
  console.table(rows)
  return { mix, bytes, questions, rows }
}

console.log(`Median of ${ROUNDS} interleaved rounds; target ≤ ${TARGET}`)
const results = [measure('tools'), measure('text')]
console.log(JSON.stringify({ bench: 'replay', target: TARGET, results }))
