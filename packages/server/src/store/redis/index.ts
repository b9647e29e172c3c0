import type { Cluster, Redis } from 'ioredis'
import type { LogEvent, Row, RowRef, Store } from '../port.ts'
import { placeOf } from '../shared/address.ts'
import { createStore, type Driver } from '../shared/driver.ts'
import { storeClosed, storeError } from '../shared/errors.ts'
import { groupLoads } from '../shared/group-loads.ts'
import { createCommitNotifier, hasWrites } from '../shared/notifier.ts'
import { commitCall } from './commit-args.ts'
import {
  connectRedis,
  disconnect,
  type RedisClient,
  RedisWrites,
  readWithTime,
  runScript,
  timeOf,
} from './connection.ts'
import { newNonce, readValue } from './entries.ts'
import { redisError } from './errors.ts'
import { redisKeys } from './keys.ts'
import { RedisLists } from './lists.ts'
import {
  commitScript,
  eraseScript,
  listScript,
  readLogScript,
  rewriteScript,
  snapshotScript,
  trimScript,
} from './scripts.ts'
import { ServerClock } from './server-clock.ts'

/** Options of `redisStore`. Pass one of `url`, `nodes` and `connect`. */
interface RedisStoreOptions {
  /** The URL of a single server. */
  url?: string
  /** The URLs of some nodes of a cluster. The client finds the others through them. */
  nodes?: readonly string[]
  /**
   * Creates your own client, for example for Sentinel, TLS or credentials. Called for each connection that the store
   * needs.
   */
  connect?: () => Redis | Cluster
  /**
   * The prefix of all keys.
   * @default 'holdpoint'
   */
  prefix?: string
  /** Milliseconds that are added to Redis's clock; for tests. */
  clockOffset?: () => number
  /**
   * Returns the first half of the epoch of a new log.
   *
   * @default a random text
   */
  newEpoch?: () => string
}

const NO_LIMIT = -1
const UNREADABLE = 'Redis answered something that this store cannot read. Does another program use the same prefix?'

/**
 * Creates a store in Redis (6.2 or newer), on one server or a cluster. Its durability depends on Redis's settings. With
 * `appendfsync always` an acknowledged answer survives a crash, with `everysec` up to a second may be lost, and without
 * AOF everything since the last snapshot. If data was lost, readers are reset, so there is no silent gap.
 *
 * @example const holdpoint = createHoldpoint({ store: redisStore({ url: 'redis://127.0.0.1:6379' }), authenticate })
 */
export function redisStore(options: RedisStoreOptions = {}): Store {
  return createStore(redisDriver(options))
}

interface Opened {
  client: RedisClient
  writes: RedisWrites
  lists: RedisLists
}

function redisDriver(options: RedisStoreOptions): Driver {
  const { prefix = 'holdpoint', clockOffset = () => 0, newEpoch = () => crypto.randomUUID().slice(0, 8) } = options
  const source = options.connect ?? options.nodes ?? options.url ?? 'redis://127.0.0.1:6379'
  const names = redisKeys(prefix)
  const underWay = new Set<Promise<unknown>>()
  let opened: Opened | undefined
  let listener: Promise<RedisClient> | undefined

  const wake = createCommitNotifier((listening) => {
    if (!listening) return void leave()
    listener ??= listen()
    // The calls of the store reject for the same reason.
    listener.catch(() => {})
  })

  const listen = async (): Promise<RedisClient> => {
    const client = await connectRedis(source)
    // Errors are ignored here, because the client reconnects by itself and polling finds commits whose notification got
    // lost.
    client.on('error', () => {})
    client.on('message', (_channel: string, partition: string) => wake.emit(partition))
    const subscribe = () => void client.subscribe(names.wake).catch(() => {})
    client.on('ready', subscribe)
    if (client.status === 'ready') subscribe()
    return client
  }

  const leave = async (): Promise<void> => {
    const client = listener
    listener = undefined
    if (client) await client.then(disconnect, () => {})
  }

  const redis = (): Opened => {
    if (opened) return opened
    throw storeClosed('redis')
  }

  const named = async <T>(during: 'read' | 'write', work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw redisError(error, during)
    }
  }
  const reading = <T>(work: () => Promise<T>) => named('read', work)
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work)
    const done = () => underWay.delete(work)
    work.then(done, done)
    return work
  }

  const clock = new ServerClock()
  const clockOf = (time: readonly unknown[]) => clock.update(time) + clockOffset()

  const addresses = (refs: readonly RowRef[]) =>
    refs.map(({ partition, kind, id }) => [names.rows(partition, kind), id] as const)
  const loadStored = async (client: RedisClient, refs: readonly RowRef[]) =>
    (await readWithTime(client, names.clock, addresses(refs))).values.map((value) =>
      value === null ? null : readValue(value),
    )

  return {
    name: 'redis',
    shared: true,
    place: typeof source === 'function' ? undefined : placeOf([source].flat(), prefix),

    async open() {
      if (opened) return
      await reading(async () => {
        const client = await connectRedis(source)
        client.on('error', () => {})
        try {
          clock.update(await timeOf(client, names.clock))
        } catch (error) {
          client.disconnect()
          throw error
        }
        const writes = new RedisWrites(client)
        opened = {
          client,
          writes,
          lists: new RedisLists(client, writes, names, clock, (refs) => loadStored(client, refs)),
        }
      })
    },

    load: groupLoads(
      (refs) =>
        reading(async () => {
          const { time, values } = await readWithTime(redis().client, names.clock, addresses(refs))
          const rows = refs.map(({ partition, kind, id }, index): Row | null => {
            const value = values[index]
            return typeof value === 'string' ? toRow(partition, kind, id, value) : null
          })
          return { now: clockOf(time), rows }
        }),
      setImmediate,
    ),

    list: (partition, kind, after, limit) =>
      reading(async () => {
        const keys = [names.rows(partition, kind), names.ids(partition, kind)]
        const found = texts(await runScript(redis().client, listScript, keys, [after ?? '', limit ?? NO_LIMIT]))
        return pairs(found).map(([id, value]) => toRow(partition, kind, id, value))
      }),

    byTag: (tag, after, limit) => reading(() => redis().lists.byTag(tag, after, limit)),

    due: (kind, limit) =>
      reading(async () => {
        const { client, lists } = redis()
        const now = clockOf(await timeOf(client, names.clock))
        return { now, ...(await lists.due(kind, now, limit)) }
      }),

    commit: (item) =>
      tracked(
        named('write', async () => {
          const { client, writes, lists } = redis()
          const nonce = newNonce(clock.now())
          const entries = lists.entriesOf(item, nonce)
          // On a cluster the lists are on other nodes, so the entries are written first. They remain if the commit fails,
          // which is harmless, because no row matches them.
          if (client.isCluster)
            await Promise.all(entries.map(({ key, score, member }) => client.zadd(key, score, member)))
          const { keys, args } = commitCall(
            item,
            names,
            { nonce, newBase: newEpoch() },
            client.isCluster ? [] : entries,
          )
          const answer = await writes.run(commitScript, keys, args)
          if (!Array.isArray(answer)) throw storeError('store_corrupt', UNREADABLE)
          const [ok, first, second, third, replaced] = answer
          if (ok !== 1) return { ok: false as const, conflict: { kind: String(first), id: String(second) } }
          // `emit` and not `committed`, because after a failover the commit may follow events that this process has
          // never seen.
          if (hasWrites(item)) wake.emit(item.partition)
          // The commit is valid even if its old entries cannot be removed now.
          void tracked(lists.forget(item.partition, texts(replaced)).catch(() => {}))
          return { ok: true as const, epoch: String(first), firstSeq: Number(second), lastSeq: Number(third) }
        }),
      ),

    readLog: (partition, from, limit) =>
      reading(async () => {
        const keys = [names.meta(partition), names.log(partition)]
        const answer = await runScript(redis().client, readLogScript, keys, [from, limit])
        if (!Array.isArray(answer)) throw storeError('store_corrupt', UNREADABLE)
        const [epoch, head, floor, entries] = answer
        return { epoch: String(epoch), head: Number(head), floor: Number(floor), events: logEvents(entries) }
      }),

    snapshot: (partition, kinds, limit) =>
      reading(async () => {
        const keys = [names.meta(partition), names.log(partition)].concat(
          kinds.flatMap((kind) => [names.rows(partition, kind), names.ids(partition, kind)]),
        )
        const answer = await runScript(redis().client, snapshotScript, keys, [limit ?? NO_LIMIT, ...kinds])
        if (!Array.isArray(answer)) throw storeError('store_corrupt', UNREADABLE)
        const [epoch, seconds, micros, head, rows] = answer
        const found = texts(rows)
        return {
          now: clockOf([seconds, micros]),
          epoch: String(epoch),
          head: logEvents(head)[0] ?? null,
          rows: Array.from({ length: found.length / 3 }, (_, index) => {
            const [kind = '', id = '', value = ''] = found.slice(index * 3, index * 3 + 3)
            return toRow(partition, kind, id, value)
          }),
        }
      }),

    trim: (partition, before) =>
      named('write', async () => {
        await runScript(redis().client, trimScript, [names.meta(partition), names.log(partition)], [before])
      }),

    rewrite: (partition, events) =>
      named('write', async () => {
        const keys = [names.meta(partition), names.log(partition), names.rewriting(partition)]
        const args = [newEpoch(), ...events.flatMap(({ seq, json }) => [seq, json])]
        await runScript(redis().client, rewriteScript, keys, args)
      }),

    erase: (partition) =>
      named('write', async () => {
        const { client, lists } = redis()
        const meta = names.meta(partition)
        const keys = [meta, names.log(partition), names.kinds(partition)]
        const replaced = await runScript(client, eraseScript, keys, [meta.slice(0, -':meta'.length)])
        await lists.forget(partition, texts(replaced))
      }),

    subscribe: wake.subscribe,

    async close() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
      wake.close()
      await leave()
      if (opened) await disconnect(opened.client)
      opened = undefined
    },
  }
}

function toRow(partition: string, kind: string, id: string, value: string): Row {
  const { version, data } = readValue(value)
  return { partition, kind, id, version, data }
}

function texts(answer: unknown): string[] {
  return Array.isArray(answer) ? answer.map(String) : []
}

function pairs(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[index * 2] ?? '', flat[index * 2 + 1] ?? ''])
}

/** Converts stream entries `[seq-1, ['e', json]]` to events. */
function logEvents(entries: unknown): LogEvent[] {
  if (!Array.isArray(entries)) return []
  return entries.map(([id, fields]: [string, string[]]) => ({ seq: Number.parseInt(id, 10), json: fields[1] ?? '' }))
}
