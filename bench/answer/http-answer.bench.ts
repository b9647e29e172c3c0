import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, type RequestListener, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { memoryStore, type Store } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import { sqliteStore } from '@holdpoint/server/sqlite'

/**
 * From the click to the tool that goes on, over HTTP on loopback: an answer is posted, and the clock stops when the
 * waiting promise runs again. Beside it, in the same rounds: the same without HTTP, and a bare node:http server that
 * takes the same body and answers as many bytes.
 */
const ROUNDS = 600
const WARM_UP = 150
const TARGET = 'bare × 2 + in process'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

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

/** Asks, and gives what is needed to answer, and the moment at which the tool went on. */
async function ask(holdpoint: Holdpoint, round: string) {
  const callId = `call-${round}`
  const context = holdpoint
    .session('s1', { userId: 'ada' })
    .toolCall({ runId: `run-${round}`, toolCallId: callId, toolName: 'delete_files' })
  const resumed = context.approve({ prompt: 'Delete 3 files?', key: round }).then(() => performance.now())
  for (;;) {
    const { items } = await holdpoint.engine.inbox({ userId: 'ada' }, {})
    const open = items.find(
      ({ interaction }) => 'toolCallId' in interaction.request && interaction.request.toolCallId === callId,
    )
    if (open && 'interactionId' in open.interaction.request) {
      const message = {
        type: 'tool_interaction_response' as const,
        clientId: 'tab-1',
        callId,
        interactionId: String(open.interaction.request.interactionId),
        answerId: `answer-${round}`,
        action: 'approve' as const,
      }
      return { message, resumed }
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function measure(store: Store) {
  const holdpoint = createHoldpoint({
    store,
    authenticate: () => ({ userId: 'ada' }),
    http: { rateLimit: { burst: 1e9, perSecond: 1e9 } },
  })
  const servers = [createServer(bare), createServer(toNodeHandler(holdpoint))] as const
  const [barePort, port] = [await portOf(servers[0]), await portOf(servers[1])]
  const times = { bare: [] as number[], inProcess: [] as number[], http: [] as number[] }
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const direct = await ask(holdpoint, `d${round}`)
    let began = performance.now()
    const answered = holdpoint.engine.answer({ userId: 'ada' }, 's1', direct.message)
    const inProcess = (await direct.resumed) - began
    await answered
    const over = await ask(holdpoint, `h${round}`)
    const body = JSON.stringify(over.message)
    began = performance.now()
    await post(barePort, '/', body)
    const bareTook = performance.now() - began
    began = performance.now()
    const status = post(port, '/holdpoint/sessions/s1/messages', body)
    const http = (await over.resumed) - began
    if ((await status) !== 200) throw new Error(`the answer was refused: ${await status}`)
    if (round < 0) continue
    times.bare.push(bareTook)
    times.inProcess.push(inProcess)
    times.http.push(http)
  }
  for (const server of servers) server.close()
  await holdpoint.close()
  return times
}

const at = (list: number[], share: number) =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? Number.NaN
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))
const rows = []
for (const store of [memoryStore(), sqliteStore({ path: join(folder, 'data.db') })]) {
  const times = await measure(store)
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const [bareMs, inProcess, http] = [at(times.bare, share), at(times.inProcess, share), at(times.http, share)]
    rows.push({
      store: store.name,
      '': name,
      'bare round trip, ms': +bareMs.toFixed(3),
      'in process, ms': +inProcess.toFixed(3),
      'over HTTP, ms': +http.toFixed(3),
      'of the target': +(http / (2 * bareMs + inProcess)).toFixed(2),
    })
  }
}
agent.destroy()
rmSync(folder, { recursive: true, force: true })
console.log(`answer → tool resumes, ${ROUNDS} interleaved rounds; target: ${TARGET}, so at most 1 in the last column`)
console.table(rows)
console.log(JSON.stringify({ bench: 'http-answer', rows }))
process.exit(0)
