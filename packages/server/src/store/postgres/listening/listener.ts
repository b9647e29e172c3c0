import type { Connections } from '../pool/connections.ts'
import type { PostgresClient, PostgresNotification } from '../pool/pool.ts'
import { readPayload } from './notify.ts'

export interface ListenerOptions {
  channel: string
  author: string
  /** Milliseconds between two probes of the connection, and the maximum time that a probe may take. */
  probeMs: number
  onPartitions(partitions: readonly string[]): void
  /** Called when the probes show that notifications start or stop arriving. */
  onState(listening: boolean): void
}

export interface Listener {
  /** Stops listening. The connection returns to its pool, unless the pool ends too. */
  close(forGood: boolean): void
}

/**
 * Keeps one connection that listens. It counts as working only while probes arrive that are sent through another
 * connection. Without probes, a half-open socket would look alive for hours, and a transaction-mode pooler accepts
 * LISTEN and drops it.
 */
export function createListener(connections: Connections, options: ListenerOptions): Listener {
  let client: PostgresClient | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let probe = 0
  let answered = 0
  let failures = 0
  let state = false

  const setState = (listening: boolean) => {
    if (state !== listening) options.onState(listening)
    state = listening
  }

  const schedule = (work: () => Promise<void>, ms: number) => {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(() => void work(), ms)
    timer.unref()
  }

  const removeListeners = (given: PostgresClient) => {
    given.off('notification', onNotification)
    given.off('error', drop)
  }

  const drop = (error: Error) => {
    if (!client) return
    const dropped = client
    client = undefined
    setState(false)
    removeListeners(dropped)
    // Ignores later errors of the dropped connection.
    dropped.on('error', () => {})
    dropped.release(error)
    schedule(connect, backoff())
  }

  const backoff = () => Math.min(250 * 2 ** failures++, 10_000)

  const connect = async () => {
    try {
      const fresh = await connections.acquire()
      if (closed) return fresh.release()
      client = fresh
      fresh.on('error', drop)
      fresh.on('notification', onNotification)
      await fresh.query({ text: `LISTEN "${options.channel}"`, query_timeout: options.probeMs })
      // The connection does not keep an idle process alive, just as polling does not.
      fresh.unref?.()
      // Probes that the previous connection missed do not count against this one.
      answered = probe
      await tryIt()
    } catch (error) {
      if (client) drop(error instanceof Error ? error : new Error(String(error)))
      else schedule(connect, backoff())
    }
  }

  const onNotification = ({ channel, payload }: PostgresNotification) => {
    if (!client || channel !== options.channel) return
    const message = readPayload(payload)
    if (message?.author === `${options.author} probe`) answered = Math.max(answered, Number(message.names[0]))
    else if (message && message.author !== options.author) options.onPartitions(message.names)
    if (answered === probe) works()
  }

  const works = () => {
    failures = 0
    setState(true)
  }

  const tryIt = async () => {
    if (!client) return
    if (answered !== probe) return drop(new Error('a probe did not arrive'))
    const payload = JSON.stringify([`${options.author} probe`, String(++probe)])
    // A probe that could not be sent proves nothing about the listening connection. The next probe decides.
    await connections.write('SELECT pg_notify($1, $2)', [options.channel, payload]).catch(() => {
      answered = probe
    })
    schedule(tryIt, options.probeMs)
  }

  void connect()

  /**
   * Stops listening and returns the connection to the pool. It is not closed, because a process with one question at a
   * time would otherwise open a new connection for each question, and a new connection has no cached plans.
   */
  const giveBack = async (last: PostgresClient) => {
    last.ref?.()
    const silent = await last.query({ text: 'UNLISTEN *', query_timeout: options.probeMs }).then(
      () => true,
      () => false,
    )
    removeListeners(last)
    last.release(!silent)
  }

  return {
    close(forGood) {
      closed = true
      clearTimeout(timer)
      const last = client
      client = undefined
      if (forGood) last?.release(true)
      else if (last) void giveBack(last)
    },
  }
}
