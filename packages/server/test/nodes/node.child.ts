import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createHoldpoint } from '@holdpoint/server'
import { toNodeHandler } from '@holdpoint/server/node'
import { z } from 'zod'
import type { Answer, Command, NodeSetup } from './commands.ts'
import { dyingStore } from './dying-store.ts'
import { asNewerRelease } from './newer-release.ts'
import { openStore } from './open-store.ts'
import { payingTool } from './paying-tool.ts'
import { raceOn } from './race-on.ts'

// A process that is killed writes no compile cache when it ends.
flushCompileCache()

/**
 * One node of an app: a Holdpoint on a shared store, behind its own HTTP port. It takes commands from the test over
 * IPC and notes every effect of its tools in a file that all nodes share.
 */
const setup: NodeSetup = JSON.parse(process.argv[2] ?? '{}')
const note = (effect: string) => appendFileSync(setup.effects, `${effect} ${setup.name}\n`)
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const opened = openStore(setup.store)
const store = setup.newer ? asNewerRelease(opened) : opened
const holdpoint = createHoldpoint({
  store: setup.dies ? dyingStore(store, setup.dies) : store,
  timing: { leaseMs: setup.leaseMs, presenceMs: 2_000 },
  name: setup.name,
  // One user sends what hundreds would send.
  http: { rateLimit: { burst: 10_000, perSecond: 10_000 } },
  authenticate: (request) => {
    const userId = request.headers.get('authorization')?.replace('Bearer ', '')
    return userId ? { userId } : null
  },
  hooks: {
    onToolResult: ({ deliveryId, toolCallId, result }) =>
      note(`delivered ${toolCallId} ${deliveryId} ${JSON.stringify(result)}`),
  },
})

const input = z.object({ mark: z.string(), pauseMs: z.number().default(0) })
const confirm = holdpoint.tool({
  name: 'confirm',
  input,
  execute: async ({ mark, pauseMs }, ctx) => {
    note(`begin ${mark}`)
    const { scope } = await ctx.approve({
      prompt: `Do ${mark}?`,
      rememberAs: ['do', mark],
      scopes: ['once', 'session'],
    })
    await sleep(pauseMs)
    const by = await ctx.once('effect', ({ idempotencyKey }) => {
      note(`key ${mark} ${idempotencyKey}`)
      note(`effect ${mark}`)
      return setup.name
    })
    return { mark, by, scope }
  },
})
const waits = holdpoint.tool({
  name: 'waits',
  input,
  execute: async ({ mark }, ctx) =>
    await ctx.requestInteraction({
      type: 'approval',
      prompt: `Wait for ${mark}?`,
      timeoutMs: 600,
      whenUnavailable: 'wait',
      onResponse: () => ({ complete: 'answered' }),
      onTimeout: () => {
        note(`timeout ${mark}`)
        return { complete: 'timed out' }
      },
    }),
})

const pay = payingTool(holdpoint, note)
const race = raceOn(holdpoint, setup.name, note)
const session = (sessionId: string) => holdpoint.session(sessionId, { userId: 'ada' })

async function carryOut(command: Command): Promise<unknown> {
  switch (command.type) {
    case 'run': {
      const { sessionId, runId, toolCallId } = command
      const place = { runId, toolCallId }
      if (command.tool === 'pay') {
        return await session(sessionId).runTool(pay, { mark: command.mark, amount: command.amount }, place)
      }
      const input = { mark: command.mark, pauseMs: command.pauseMs ?? 0 }
      return command.tool === 'waits'
        ? await session(sessionId).runTool(waits, input, place)
        : await session(sessionId).runTool(confirm, input, place)
    }
    case 'available': {
      const call = { runId: 'r', toolCallId: 'available', toolName: 'x' }
      return await session(command.sessionId).toolCall(call).interaction.check()
    }
    case 'emit':
      return await session(command.sessionId).emit({ type: 'content', text: command.text })
    case 'ask':
      return await race.ask(command.sessionId, command.callIds)
    case 'race':
      return await race.answer(command)
    case 'recover':
      return await holdpoint.recover()
    case 'close':
      return await holdpoint.close()
  }
}

process.on('message', ({ id, command }: { id: number; command: Command }) => {
  carryOut(command).then(
    (value) => process.send?.({ id, value } satisfies Answer),
    (error: Error & { code?: string }) =>
      process.send?.({ id, error: { code: error.code ?? error.name, message: error.message } } satisfies Answer),
  )
})

const server = createServer(toNodeHandler(holdpoint))
server.listen(setup.port ?? 0, '127.0.0.1', async () => {
  await holdpoint.recover()
  const { port } = server.address() as AddressInfo
  process.send?.({ id: 0, value: port } satisfies Answer)
})
