import type { Core } from './core.ts'
import { iso } from './decide/transition.ts'
import type { Execution } from './execution.ts'
import { SESSION_ROW } from './names.ts'

const MAX_LINES = 100
const MAX_LINE = 8_192

/** Lines that a running tool writes, gathered so that a burst of them is one event. */
export function appendLog(core: Core, execution: Execution, line: string): void {
  execution.logLines.push(line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line)
  if (execution.logging) return
  execution.logging = true
  core.background('writing log lines', flush(core, execution))
}

async function flush(core: Core, execution: Execution): Promise<void> {
  const { sessionId, runId, toolCallId } = execution.identity
  try {
    await core.ready()
    while (execution.logLines.length > 0) {
      const logs = execution.logLines.slice(0, MAX_LINES)
      await core.transact(execution.partition, async (tx) => {
        // Only a session that exists has readers.
        const [session, call] = await tx.read(['session', SESSION_ROW], ['call', execution.id])
        if (!session || (execution.fence > 0 && call?.fence !== execution.fence)) return
        tx.event({ type: 'tool_call_update', timestamp: iso(tx.now), sessionId, runId, toolCallId, logs })
      })
      execution.logLines.splice(0, logs.length)
    }
  } finally {
    execution.logging = false
  }
}
