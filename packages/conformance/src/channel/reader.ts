import type { Transport } from '@holdpoint/core'
import type { SendResult, TransportContext, TransportFailure } from '@holdpoint/core/internal'
import type { ClientMessage } from '@holdpoint/core/protocol'
import type { Environment } from '@holdpoint/core/transport'
import { expect } from 'vitest'

export const environment: Environment = {
  now: () => Date.now(),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
  random: () => Math.random(),
  id: () => crypto.randomUUID(),
  fetch: (input, init) => fetch(input, init),
}

export const contextOf = (sessionId: string, clientId = 'tab-1'): TransportContext => ({
  sessionId,
  clientId,
  env: environment,
})

/** One stream, read by the driver alone: the received events in order, and the end of the stream. */
export interface Reader {
  readonly texts: string[]
  readonly types: string[]
  readonly cursor: string | null
  readonly resets: string[]
  readonly failure: TransportFailure | undefined
  readonly opened: boolean
  /** Waits for this many events. */
  has(count: number): Promise<void>
  /** Waits for the end of the connection, whatever the reason. */
  over(): Promise<void>
  close(): void
}

export function read(transport: Transport, sessionId: string, cursor: string | null = null): Reader {
  const reader = {
    texts: [] as string[],
    types: [] as string[],
    cursor,
    resets: [] as string[],
    failure: undefined as TransportFailure | undefined,
    opened: false,
    has: (count: number) => eventually(() => expect(reader.types.length).toBeGreaterThanOrEqual(count)),
    over: () => eventually(() => expect(reader.failure !== undefined || reader.resets.length > 0).toBe(true)),
    close: () => connection.close(),
  }
  const connection = transport.connect(contextOf(sessionId), cursor, {
    open() {
      reader.opened = true
    },
    events(batch) {
      for (const placed of batch) {
        reader.types.push(placed.event.type)
        if (typeof placed.event.text === 'string') reader.texts.push(placed.event.text)
        reader.cursor = placed.cursor
      }
    },
    reset: (reason) => void reader.resets.push(reason),
    alive() {},
    malformed: (problem) => void reader.texts.push(`malformed: ${problem.code}`),
    down(failure) {
      reader.failure = failure
    },
  })
  return reader
}

/** Sends one message as a client that has the session open. */
export async function say(transport: Transport, sessionId: string, message: ClientMessage): Promise<SendResult> {
  const reader = read(transport, sessionId)
  await eventually(() => expect(reader.opened || reader.failure !== undefined).toBe(true))
  const send = () => transport.send(contextOf(sessionId), message)
  // A client that is rejected after an upgrade loses its connection right away: it sends the message again in another
  // way.
  const result = await send().catch(send)
  reader.close()
  return result
}

export const eventually = (check: () => void) =>
  expect.poll(() => attempt(check), { timeout: 8_000, interval: 5 }).toBe('yes')

function attempt(check: () => void): string {
  try {
    check()
    return 'yes'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export const count = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `t${from + index}`)
