import { digestOf } from '../../base/canonical-json.ts'
import type { CallStep } from '../api/call-steps.ts'
import { fittedEvent } from '../kernel/fitted-event.ts'
import { journalId } from '../records/keys.ts'
import type { Transaction } from '../records/transaction.ts'
import type { JournalRow } from '../state/rows.ts'
import type { CallKernel } from './call-kernel.ts'
import type { Execution } from './execution.ts'
import { updateBase } from './progress.ts'

/** A step of a call that the next commit of the call writes. */
export interface StagedStep extends CallStep {
  /** The id of its entry in the journal. */
  id: string
}

/** The entry of a call's journal for this key of `once`. */
export const onceId = ({ id }: Pick<Execution, 'id'>, key: string) => journalId(id, `once ${digestOf(key)}`)

/** The rows to read for staged steps. A call that its execution begins has no journal: the commit fails if it exists. */
export const stagedRefs = ({ unbegun }: Execution, steps: readonly StagedStep[]) =>
  unbegun ? [] : steps.map(({ id }) => ['journal', id] as const)

/** Takes what is staged to one attempt at a commit. Lines that were logged before it are written first. */
export async function stagedSteps({ staged, progress }: Execution): Promise<readonly StagedStep[]> {
  if (!staged) return []
  await progress?.drained()
  return staged
}

/** Writes the staged steps that no earlier commit wrote. The call must have been claimed by this transaction. */
export function writeStaged(
  kernel: CallKernel,
  tx: Transaction,
  execution: Execution,
  steps: readonly StagedStep[],
  found: readonly (JournalRow | null | undefined)[],
): void {
  if (steps.length === 0) return
  steps.forEach(({ id, value, update, onFound }, index) => {
    const entry = found[index]
    const recorded = recordedIn(entry)
    if (recorded) {
      onFound?.(recorded.value)
      return
    }
    tx.put('journal', id, { type: 'once', state: 'done', ...(value !== undefined && { value }) })
    if (update) tx.eventText(fittedEvent(kernel, { ...updateBase(execution, tx.now), ...update }))
  })
  tx.committed(() => {
    const rest = execution.staged?.filter((step) => !steps.includes(step)) ?? []
    execution.staged = rest.length > 0 ? rest : undefined
  })
}

/** A key that is staged again has the later step. */
export function stageStep(execution: Execution, step: StagedStep): void {
  const others = execution.staged?.filter(({ id }) => id !== step.id) ?? []
  execution.staged = [...others, step]
}

/** The value of an entry that is done. One that was only begun has none. */
export const recordedIn = (entry: JournalRow | null | undefined): { value?: unknown } | undefined =>
  entry?.type === 'once' && entry.state === 'done' ? { value: entry.value } : undefined
