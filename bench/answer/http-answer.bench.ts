import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, type RequestListener, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Store } from '@holdpoint/server/store'
import { portOf } from '../fanout/measured.ts'
import { person, type Question } from '../support/person.ts'
import { report } from '../support/report.ts'
import type { Result } from '../support/result.ts'
import { rounds } from '../support/rounds.ts'
import { digits, quantile } from '../support/statistics.ts'
import { watchedStore } from '../support/watched-store.ts'

/**
 * From the click to the tool that continues, over HTTP on loopback: an answer is posted, and the clock stops when the
 * waiting promise runs again. The same rounds also measure the same without HTTP, and a bare node:http server that
 * receives the same body and responds with as many bytes.
 */
const ROUNDS = 2_000
const WARM_UP = 1_000

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

function post(port: number, path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      origin: `http://127.0.0.1:${port}`,
    }
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers, agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The least that a server can do with a posted body. */
const bare: RequestListener = (incoming, response) => {
  const parts: Buffer[] = []
  incoming.on('data', (part: Buffer) => parts.push(part))
  incoming.on('end', () => {
    JSON.parse(Buffer.concat(parts).toString())
    const body = '{"status":"accepted"}'
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
  })
}

async function measure(inner: Store) {
  const { store, drained } = watchedStore(inner)
  const ada = person()
  const holdpoint = createHoldpoint({
    store,
    authenticate: () => ({ userId: 'ada' }),
    http: { rateLimit: { burst: 1e9, perSecond: 1e9 } },
    hooks: { onEvent: ada.onEvent },
  })
  const session = holdpoint.session('s1', { userId: 'ada' })
  const servers = [createServer(bare), createServer(toNodeHandler(holdpoint))] as const
  const [barePort, port] = [await portOf(servers[0]), await portOf(servers[1])]

  /** Asks, and returns the moment at which the tool continues. All work of the question has ended then. */
  async function ask(callId: string) {
    const asked = ada.question(holdpoint, 's1', callId)
    const resumed = session
      .toolCall({ runId: `run-${callId}`, toolCallId: callId, toolName: 'delete_files' })
      .approve({ prompt: 'Delete 3 files?', rememberAs: callId })
      .then(() => performance.now())
    const question = await asked
    await drained()
    return { question, resumed }
  }
  const bodyOf = (question: Question) => JSON.stringify(ada.message(question))
  const body = bodyOf({ callId: 'h100', interactionId: crypto.randomUUID() })

  const times = await rounds(
    ROUNDS,
    {
      async bare() {
        const began = performance.now()
        await post(barePort, '/', body)
        const took = performance.now() - began
        await drained()
        return took
      },
      async inProcess(round) {
        const { question, resumed } = await ask(`d${round}`)
        const began = performance.now()
        const answered = ada.approve(holdpoint, 's1', question)
        const went = await resumed
        await answered
        await drained()
        return went - began
      },
      async http(round) {
        const { question, resumed } = await ask(`h${round}`)
        const answer = bodyOf(question)
        const began = performance.now()
        const status = post(port, '/holdpoint/sessions/s1/messages', answer)
        const went = await resumed
        if ((await status) !== 200) throw new Error(`the answer was refused: ${await status}`)
        await drained()
        return went - began
      },
    },
    { warmUp: WARM_UP },
  )
  for (const server of servers) server.close()
  await holdpoint.close()
  return times
}

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))
const rows: object[] = []
const results: Result[] = []
for (const store of [memoryStore(), sqliteStore({ path: join(folder, 'data.db') })]) {
  const times = await measure(store)
  for (const [percentile, share] of Object.entries({ p50: 0.5, p99: 0.99 })) {
    const at = (list: readonly number[]) => digits(quantile(list, share))
    const ms = { bare: at(times.bare), inProcess: at(times.inProcess), http: at(times.http) }
    rows.push({
      store: store.name,
      '': percentile,
      ...ms,
      'of the target': digits(ms.http / (2 * ms.bare + ms.inProcess)),
    })
    results.push({
      id: `${store.name}-${percentile}`,
      scenario: `answer → tool continues, over HTTP on loopback, ${store.name === 'memory' ? 'memory' : 'SQLite FULL'}`,
      figure: percentile,
      unit: 'ms',
      better: 'lower',
      value: ms.http,
      // Two bare round trips, and what it takes without HTTP.
      target: digits(2 * ms.bare + ms.inProcess),
      limit: { name: 'a bare node:http round trip', value: ms.bare },
    })
  }
}
agent.destroy()
rmSync(folder, { recursive: true, force: true })
report({
  about: `${ROUNDS} interleaved rounds after ${WARM_UP}; target: two bare round trips, and what it takes in process`,
  results,
  rows: { 'answer → tool continues, ms': rows },
})
process.exit(0)
