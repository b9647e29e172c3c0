/** A figure of the front page: by bench and id, with a description for readers who do not know the bench. */
export interface Headline {
  bench: string
  id: string
  what: string
}

export const HEADLINES: readonly Headline[] = [
  {
    bench: 'fanout/fanout',
    id: 'cpu',
    what: 'One event to 1,000 clients over SSE, on disk before it leaves: processor time a delivery',
  },
  {
    bench: 'fanout/storm',
    id: 'wall',
    what: '1,000 clients reconnect at once, each 200 events behind: time until all have all',
  },
  { bench: 'fanout/memory', id: 'idle', what: 'Memory of a connected client' },
  {
    bench: 'fanout/memory',
    id: 'stalled',
    what: 'A client stops reading while 200 MB are sent to it: memory at its peak',
  },
  {
    bench: 'answer/in-process',
    id: 'sqlite-p50',
    what: 'From the answer to the tool that continues, SQLite with full durability, median',
  },
  {
    bench: 'nodes/nodes',
    id: 'postgres-p99',
    what: 'The same across two nodes on Postgres, p99',
  },
  {
    bench: 'nodes/nodes',
    id: 'postgres-race',
    what: 'Questions answered four times at once by two nodes on Postgres: those with two winners, or none',
  },
  { bench: 'replay/replay', id: 'tools', what: 'A browser reads a session of 10,000 events' },
]
