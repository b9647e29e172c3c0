import type { Explained } from './type.ts'

export const inStores: readonly Explained[] = [
  {
    file: 'packages/server/src/store/sqlite.ts',
    kind: 'limit dropped',
    was: 'Math.min(wait * 2, 10)',
    why: 'only performance: the pauses between two tries for the lock grow without a cap',
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
    file: 'packages/server/src/store/keys.ts',
    kind: 'boundary moved',
    was: 'value.length * 3 > max',
    why: 'only performance: that many characters are never more than the bytes that are counted next',
  },
  {
    file: 'packages/server/src/store/keys.ts',
    kind: 'left half dropped',
    was: 'value.length * 3 > max && Buffer.byteLength(value) > max',
    why: 'only performance: bytes are counted of short keys too',
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
  {
    file: 'packages/server/src/store/redis/scripts.ts',
    kind: 'boundary moved',
    was: 'left > 0',
    why: 'equivalent: with none left nothing more is read, one line above',
  },
  {
    file: 'packages/server/src/store/redis/lists.ts',
    kind: 'boundary moved',
    was: 'timeOf(index) > now',
    why: 'only later: what is due in this very millisecond is due in the next one, when it is asked for again',
  },
  {
    file: 'packages/server/src/store/sqlite/reader.ts',
    kind: 'order dropped',
    was: 'ORDER BY seq',
    why: 'equivalent: the primary key of events is (part, seq), and SQLite reads along it',
  },
  {
    file: 'packages/server/src/store/postgres/listener.ts',
    kind: 'not waited for',
    was: 'await tryIt()',
    why: 'equivalent: it never rejects, and nothing comes after it',
  },
  {
    file: 'packages/server/src/store/postgres/listener.ts',
    kind: 'not waited for',
    was: "await connections.write('SELECT pg_notify($1, $2)'",
    why: 'only sooner: the pause before the next probe begins when this one is sent',
  },
  {
    file: 'packages/server/src/store/postgres/listener.ts',
    kind: 'step left out',
    was: 'clearTimeout(timer)',
    why: 'only performance: a timer that was not stopped probes more often, or finds no connection and gives the next one back',
  },
  {
    file: 'packages/server/src/store/postgres/notify.ts',
    kind: 'boundary moved',
    was: 'head.length + 1 + size > PAYLOAD_BYTES',
    why: 'only a limit: one byte less',
  },
  {
    file: 'packages/server/src/store/postgres/notify.ts',
    kind: 'boundary moved',
    was: 'bytes + size > PAYLOAD_BYTES',
    why: 'only a limit: one byte less',
  },
]
