import type { RunState } from '@holdpoint/core/internal'
import { useHoldpointClient } from './use-client.ts'
import { useTopic } from './use-topic.ts'

/**
 * Returns one run with its status.
 *
 * @example
 * const run = useRun('run-1')
 * const waits = run?.status === 'awaiting_approval'
 */
export function useRun(runId: string): RunState | undefined {
  const client = useHoldpointClient()
  return useTopic(client, `run:${runId}`, (state) => state.runs.get(runId))
}
