import { recordable } from '../../base/canonical-json.ts'
import type { CallStep, CallSteps } from '../api/call-steps.ts'
import type { CallKernel } from './call-kernel.ts'
import type { Execution } from './execution.ts'
import { inCall } from './journal.ts'
import { onceId, recordedIn, stageStep } from './staged-steps.ts'
import { untilStored } from './until-stored.ts'

/** The steps of one execution. */
export function callSteps(kernel: CallKernel, execution: Execution): CallSteps {
  return {
    async record(key, value) {
      // An execution that begins its call finds no journal: its first commit fails if the call exists.
      const known = execution.unbegun ? undefined : await readStep(kernel, execution, key)
      if (known) return known.value as typeof value
      stage(execution, key, { value })
      return value
    },
    stage: async (key, step) => stage(execution, key, step),
    flush: () => flush(kernel, execution),
  }
}

function stage(execution: Execution, key: string, { value, update, onFound }: CallStep): void {
  const { input, output, status } = update ?? {}
  stageStep(execution, {
    id: onceId(execution, key),
    value: recordable(`The step "${key}"`, value),
    ...(update && { update: recordable('An update of a tool', { input, output, status }) as typeof update }),
    ...(onFound && { onFound }),
  })
}

async function readStep(kernel: CallKernel, execution: Execution, key: string) {
  const [entry] = await untilStored(kernel, execution, () =>
    kernel.transact(execution.partition, (tx) => tx.read(['journal', onceId(execution, key)])),
  )
  return recordedIn(entry)
}

async function flush(kernel: CallKernel, execution: Execution): Promise<void> {
  if (!execution.staged) return
  await untilStored(kernel, execution, () => kernel.heartbeat.alive())
  await inCall(kernel, execution, undefined, () => {})
}
