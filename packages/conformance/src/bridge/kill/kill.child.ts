import { appendFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { createHoldpoint } from '@holdpoint/server'
import type { BridgeDriver } from '../driver.ts'
import { openDatabase } from '../places.ts'
import { bridgeTools, callOf } from '../tools.ts'
import { KILLED_OPTIONS, OWNER } from '../world.ts'
import type { BridgeKillSetup, FromBridge } from './kill-messages.ts'

// A killed process writes no compile cache when it ends.
flushCompileCache()

// The process stays until it is killed, also if nothing else keeps its event loop busy.
process.on('message', () => {})
process.on('disconnect', () => process.exit())

const setup: BridgeKillSetup = JSON.parse(process.argv[2] ?? '{}')
const report = (message: FromBridge) => void process.send?.(message)
const { driver }: { driver: BridgeDriver } = await import(setup.module)

const holdpoint = createHoldpoint({ ...KILLED_OPTIONS, store: openDatabase(setup.database) })
const tools = bridgeTools(
  ({ tool }) => appendFileSync(setup.journal, `${tool}\n`),
  () => {
    report({ type: 'holds' })
    return new Promise(() => {})
  },
)
const agent = await driver.open({ holdpoint, tools, userId: OWNER })
const call = callOf(setup.tool)
const stop = setup.saved === undefined ? await agent.begin([call]) : await agent.resume(setup.saved)
report({ type: 'stopped', saved: stop.saved, state: stop.calls[call.toolCallId]?.state ?? 'missing' })
