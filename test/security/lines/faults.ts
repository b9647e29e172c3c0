import { type Chapter, line } from '../line.ts'

/** Failures without an attacker. */
export const faults: Chapter = {
  title: 'Faults',
  lines: [
    line(
      'R1',
      'an event is written between a snapshot and its subscription',
      'the server subscribes first, buffers, reads, and merges by sequence number',
      2,
    ),
    line(
      'R2',
      'a client disconnects before its first event, reconnects after a restart, or is ahead of the server',
      'cursors carry an epoch and a hash; a reset has a named reason; there is never a gap',
      2,
    ),
    line(
      'R3',
      'a process is killed with `kill -9` at any moment',
      'answers are acknowledged after they are durable; results leave through an outbox',
      4,
    ),
    line(
      'R4',
      'fifty answers arrive at once; the winner retries',
      "one compare-and-set; each loser receives the winner's name; the winner's retry is acknowledged again",
      3,
    ),
    line(
      'R5',
      'a node is killed, paused or disconnected; a listening connection is half open; a database fails over',
      'leases with fences, a probe, polling, a new epoch',
      6,
    ),
    line(
      'R6',
      'a timer beyond 24 days, a clock that jumps, a tab in the background',
      "deadlines use the store's clock, and so does every snapshot that a page counts from; timers are set again",
      4,
    ),
    line(
      'R7',
      'a reader stalls; ten thousand readers connect and disconnect',
      'a slow reader is disconnected at a limit and resumes without a gap; no state remains',
      2,
    ),
    line(
      'R8',
      'a proxy buffers; a compressing middleware runs in front',
      'headers that disable buffering; every event is flushed',
      2,
    ),
    line('R9', 'the disk is full, read-only or damaged', 'a named error; readable data is still served', 4),
    line(
      'R9b',
      'one stored row is damaged, or was written by a newer release',
      'rows are decoded one by one; an unreadable row is logged by its key and left unchanged, and all others are processed',
      8,
    ),
    line('R9c', 'a component uses a store before it was opened', 'a store opens itself on its first call', 2),
    line(
      'R9d',
      'a Postgres pool has one connection, as on serverless platforms',
      'the store polls instead of using the only connection for LISTEN',
      1,
    ),
    line(
      'R9e',
      'the next process does not register a durable tool',
      'a warning names the tool; the answer is delivered as a follow-up',
      2,
    ),
    line(
      'R9f',
      'the SQLite file is replaced or deleted under a running process; other users of the machine read it',
      "the file's identity is compared at each commit; the file is readable only by its user",
      2,
    ),
    line(
      'R9g',
      'clocks disagree: a process and its Redis, or a machine whose clock is set back',
      'index entries age by the clock of Redis; a lease that ends too far in the future counts as expired',
      2,
    ),
    line(
      'R9h',
      'a handler never returns; a session fills with large questions; a client invents runs',
      'cancelling rejects the waiting code; limits in bytes; nothing is written for an unknown run',
      5,
    ),
    line(
      'R9i',
      'a backlog is delivered at once; a hook hangs or fails permanently',
      'at most 32 hooks and 32 webhooks at a time; one call per delivery in a live process; dead letters can be listed, retried and dropped',
      4,
    ),
    line('R10', 'hostile input at every boundary', 'a named error, never a crash, never data of another user', 5),
    line(
      'R10b',
      'a module is evaluated twice, a hot reload, a body parser before the handler',
      'one instance in development; named errors',
      3,
    ),
  ],
}
