import { readdirSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Sample } from './messages.ts'

const MIB = 1024 * 1024

/** Returns the resources of this process: memory after a collection, open files, timers, listeners. */
export function sample(server?: Server): Sample {
  // Twice: what a finalizer lets go of is collected the second time.
  for (let round = 0; round < 2; round++) globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const emitters = server ? [process, server] : [process]
  return {
    age: process.uptime(),
    heap: heapUsed / MIB,
    rss: rss / MIB,
    fds: openFiles(),
    timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
    listeners: emitters
      .flatMap((one) => one.eventNames().map((name) => one.listenerCount(name)))
      .reduce((a, b) => a + b, 0),
  }
}

/** Where /proc is not, they are not counted. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}
