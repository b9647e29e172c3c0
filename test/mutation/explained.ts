import type { Mutant } from './mutants.ts'

/** A mutant that survives and is no hole: what was there, by its beginning, and what was done to it. */
export interface Explained {
  file: string
  kind: string
  was: string
  why: string
}

export const explained: readonly Explained[] = [
  {
    file: 'packages/core/src/client/connector.ts',
    kind: 'step left out',
    was: 'unwake()',
    why: 'only performance: a look at the clock that is not needed any more finds nothing to do',
  },
  {
    file: 'packages/server/src/engine/waiters.ts',
    kind: 'boundary moved',
    was: 'page.floor > from',
    why: 'only performance: all waiters look where the log would have named those that must',
  },
  {
    file: 'packages/server/src/engine/serial.ts',
    kind: 'branch never taken',
    was: 'if (tails.size === 0',
    why: 'only memory: an empty map stays with each call that waits',
  },
  {
    file: 'packages/server/src/store/sqlite.ts',
    kind: 'limit dropped',
    was: 'Math.min(wait * 2, 10)',
    why: 'only performance: the pauses between two tries for the lock grow without a cap',
  },
  {
    file: 'packages/server/src/engine/begin-call.ts',
    kind: 'right half dropped',
    was: "before?.status === 'suspended' && 'input' in how",
    why: 'only performance: a call is resumed once one of its questions was settled; with all of them open it stops at the same ones',
  },
  {
    file: 'packages/server/src/engine/cancel.ts',
    kind: 'default dropped',
    was: 'live ?? idle',
    why: 'equivalent where questions are open: a run that waits for one is among the live ones',
  },
  {
    file: 'packages/server/src/auth/return-to.ts',
    kind: 'guard removed',
    was: "if (url.protocol !== 'https:' && url.protocol !== 'http:') return null",
    why: 'second line: the text has to begin with a path or with http(s)://, which is looked at first',
  },
  {
    file: 'packages/server/src/auth/change-row.ts',
    kind: 'branch never taken',
    was: 'if (conflicts > 3) await pause',
    why: 'only performance: those who collide try again at once',
  },
  {
    file: 'packages/core/src/tokens/refresh-account.ts',
    kind: 'boundary moved',
    was: 'round < MAX_ROUNDS',
    why: 'only a limit: a hundred and one rounds instead of a hundred',
  },
  {
    file: 'packages/core/src/tokens/browser-token-store.ts',
    kind: 'step left out',
    was: 'answered()',
    why: 'only sooner: the wait for other tabs ends by itself',
  },
  {
    file: 'packages/server/src/engine/nodes.ts',
    kind: 'branch never taken',
    was: 'if (pause > core.settings.leaseMs) core.waiters.checkAll()',
    why: 'only sooner: the poll of all waiters comes to the same',
  },
  {
    file: 'packages/server/src/store/sqlite/watch.ts',
    kind: 'boundary moved',
    was: 'partitions.length > 0',
    why: 'only performance: nobody is told of no partition',
  },
  {
    file: 'packages/server/src/store/memory/partitions.ts',
    kind: 'step left out',
    was: 'partition.kinds.delete(kindName)',
    why: 'only memory: a kind without rows stays as an empty map until its partition goes',
  },
  {
    file: 'packages/server/src/store/ordered.ts',
    kind: 'boundary moved',
    was: 'at < this.blocks.length',
    why: 'equivalent: a block that is not there has no members',
  },
  {
    file: 'packages/server/src/store/wake.ts',
    kind: 'guard removed',
    was: 'if (listeners.size === 0) return',
    why: 'only performance: what is queued for nobody is told to nobody',
  },
  {
    file: 'packages/server/src/store/redis/lists.ts',
    kind: 'boundary moved',
    was: 'listed.length <= limit',
    why: 'only performance: one more page is asked for, and it is empty',
  },
  {
    file: 'packages/server/src/store/redis/scripts.ts',
    kind: 'branch always taken',
    was: "due ~= '-' or tags ~= '[]'",
    why: 'only performance: a row that stands in no list is told of, and removed from none',
  },
]

export const explains = (one: Explained, { file, kind, was }: Mutant): boolean =>
  one.file === file && one.kind === kind && was.startsWith(one.was)

export function reasonFor(mutant: Mutant): string | undefined {
  return explained.find((one) => explains(one, mutant))?.why
}
