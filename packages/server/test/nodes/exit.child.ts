import { createHoldpoint } from '@holdpoint/server'
import { openStore } from './open-store.ts'

/** Asks, closes while the question is open, and has nothing else to do. */
const holdpoint = createHoldpoint({ store: openStore(JSON.parse(process.argv[2] ?? '{}')) })
await holdpoint.recover()
const context = holdpoint.session('s', { userId: 'ada' }).toolCall({ runId: 'r', toolCallId: 't', toolName: 'x' })
context.approve({ prompt: 'Sure?', whenUnavailable: 'wait' }).catch(() => {})
await new Promise((resolve) => setTimeout(resolve, 100))
await holdpoint.close()
process.stdout.write('closed')
