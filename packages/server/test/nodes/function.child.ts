import { appendFileSync } from 'node:fs'
import { createHoldpoint } from '@holdpoint/server'
import { z } from 'zod'
import type { FunctionAnswer, FunctionRequest, FunctionSetup } from './function-process.ts'
import { openStore } from './open-store.ts'

/**
 * A serverless function: it answers a request, does the work of `waitUntil`, and is then ended or frozen by its
 * starter. Nothing is closed in an orderly way.
 */
const setup: FunctionSetup = JSON.parse(process.argv[2] ?? '{}')
const note = (effect: string) => appendFileSync(setup.effects, `${effect} ${setup.name}\n`)
const kept: Promise<unknown>[] = []
let heard = () => {}
const asked = new Promise<void>((resolve) => {
  heard = resolve
})

const holdpoint = createHoldpoint({
  store: openStore(setup.store),
  waiting: setup.waiting ?? 'suspend',
  waitUntil: (promise) => void kept.push(promise),
  timing: { leaseMs: 1_500, ...(setup.maxDurationMs !== undefined && { maxDurationMs: setup.maxDurationMs }) },
  hooks: {
    onEvent: ({ type }) => type === 'asked' && heard(),
    onToolResult: ({ deliveryId, toolCallId, result }) =>
      note(`delivered ${toolCallId} ${deliveryId} ${JSON.stringify(result)}`),
  },
  authenticate: (request) => {
    const userId = request.headers.get('authorization')?.replace('Bearer ', '')
    return userId ? { userId } : null
  },
  logger: {
    debug() {},
    info() {},
    warn: (_message, facts) => note(`warned ${facts?.code ?? '-'}`),
    error: (message, facts) => note(`error ${JSON.stringify([message, facts])}`),
  },
})

const input = z.object({ mark: z.string(), pauseMs: z.number() })
/** Runs as often as it is suspended; what it does once, it does in `once`. */
const confirm = holdpoint.tool({
  name: 'confirm',
  input,
  execute: async ({ mark, pauseMs }, ctx) => {
    note(`ran ${mark}`)
    await ctx.approve({ prompt: `Do ${mark}?` })
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    return await ctx.once('effect', () => {
      note(`effect ${mark}`)
      return setup.name
    })
  },
})
const decide = holdpoint.tool({
  name: 'decide',
  input,
  execute: async ({ mark }, ctx) =>
    await ctx.requestInteraction({
      type: 'approval',
      prompt: `Decide ${mark}?`,
      timeoutMs: 300,
      whenUnavailable: 'wait',
      onResponse: ({ action }) => ({ complete: action }),
      onTimeout: () => {
        note(`timeout ${mark}`)
        return { complete: 'timed out' }
      },
    }),
})

async function handle(request: FunctionRequest): Promise<unknown> {
  if (request.type === 'tick') return await holdpoint.tick()
  if (request.type === 'http') return await answerTo(request)
  const { sessionId, mark, pauseMs = 0 } = request
  const session = holdpoint.session(sessionId, { userId: 'ada' })
  const place = { runId: 'r', toolCallId: mark }
  switch (request.type) {
    case 'run':
      return await session.runTool(confirm, { mark, pauseMs }, place)
    case 'decide':
      return await session.runTool(decide, { mark, pauseMs }, place)
    case 'bare': {
      // Asks without waiting for the answer: what matters is what the log says of it.
      const asking = session.toolCall({ ...place, toolName: 'bare' })
      void asking.approve({ prompt: 'Go?', timeoutMs: 60_000 }).catch(() => {})
      await asked
      return await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function answerTo({ sessionId, path, body }: Extract<FunctionRequest, { type: 'http' }>) {
  const response = await holdpoint.fetch(
    new Request(`http://localhost/holdpoint/sessions/${sessionId}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: 'Bearer ada', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  return { status: response.status, body: await response.json() }
}

const say = (answer: FunctionAnswer) => new Promise((resolve) => process.send?.(answer, resolve))

process.on('message', async ({ id, request }: { id: number; request: FunctionRequest }) => {
  try {
    await say({ id, value: await handle(request) })
  } catch (error) {
    await say({ id, error: String(error) })
  }
  for (let before = -1; before !== kept.length; ) {
    before = kept.length
    await Promise.allSettled(kept)
  }
  await say({ id, done: true })
  if (setup.after === 'exit') process.exit(0)
})
