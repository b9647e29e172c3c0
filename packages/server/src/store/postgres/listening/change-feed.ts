import type { Connections } from '../pool/connections.ts'
import { createListener } from './listener.ts'
import { createPoller } from './poller.ts'

export interface ChangeFeedOptions {
  schema: string
  channel: string
  author: string
  listen: boolean
  pollMs: number
  probeMs: number
  onPartition(partition: string): void
}

/** The interval of polling while notifications arrive. It only finds commits whose notification got lost. */
const SLOW_POLL_MS = 5_000

/**
 * Receives commits of other processes: by LISTEN if it works, otherwise by polling. Returns a function that ends it,
 * temporarily or permanently.
 */
export function startChangeFeed(connections: Connections, options: ChangeFeedOptions): (forGood: boolean) => void {
  const { schema, channel, author, listen, pollMs, probeMs } = options
  const onPartitions = (partitions: readonly string[]) => partitions.forEach(options.onPartition)
  let listening = false
  const poller = createPoller(connections, {
    schema,
    author,
    intervalMs: () => (listening ? Math.max(SLOW_POLL_MS, pollMs) : pollMs),
    onPartitions,
  })
  const onState = (works: boolean) => {
    listening = works
    poller.hurry()
  }
  const listener = listen ? createListener(connections, { channel, author, probeMs, onPartitions, onState }) : undefined
  return (forGood) => {
    listener?.close(forGood)
    poller.close()
  }
}
