import { maxEventBytes } from '../../json/limits.ts'
import { readJson } from '../../json/read-json.ts'
import { type Decoded, refuse } from '../../json/result.ts'
import type { HoldpointEvent } from '../../protocol/events.ts'

import { decodeEvent } from '../events/decode-event.ts'
import { isEvent } from '../events/event-shapes.ts'
import { type FrameSink, noCursor, type PlacedEvent, readReason } from '../events/frame.ts'

/** Room for the field names, the cursor and line ends around an event's JSON. */
const FRAME_OVERHEAD = 1024

/** How bytes become text and text becomes values; `strictReading()` for streams of peers that are not trusted. */
export interface SseReading {
  decode(chunk: Uint8Array): string
  read(data: string): Decoded<unknown>
}

/** The platform's decoder is sufficient, because our own server checked the text. */
function plainReading(): SseReading {
  const utf8 = new TextDecoder()
  return { decode: (chunk) => utf8.decode(chunk, { stream: true }), read: readJson }
}

/**
 * Reads `text/event-stream` from chunks that may end anywhere. Passes the events of one chunk together. Unreadable
 * input (broken JSON, a malformed or oversized event) is reported, and reading continues after it.
 *
 * @example
 * const read = createSseReader({
 *   events: (batch) => batch.forEach(({ event }) => draw(event)),
 *   reset: () => loadSnapshot(),
 *   alive() {},
 *   malformed: ({ message }) => console.warn(message),
 * })
 * await response.body?.pipeTo(new WritableStream({ write: read }))
 */
export function createSseReader(
  sink: FrameSink,
  { maxBytes = maxEventBytes as number, reading = plainReading() } = {},
): (chunk: Uint8Array) => void {
  let batch: PlacedEvent[] = []
  /** The line that has not ended yet. While an oversized event is skipped, only whether it is empty counts. */
  let rest = ''
  let id: string | undefined
  let name = ''
  let data: string | undefined
  let skipping = false
  let endedWithCr = false
  const alive = () => sink.alive()

  function readLine(line: string) {
    if (!line) dispatch()
    if (!line || skipping) return
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1))
    if (!field) alive()
    else if (field === 'data') data = data === undefined ? value : `${data}\n${value}`
    else if (field === 'event') name = value
    else if (field === 'id' && !value.includes('\0')) id = value
  }

  function dispatch() {
    if (data !== undefined && name === 'reset') {
      flush()
      const parsed = readJson(data)
      sink.reset(readReason(parsed.ok && (parsed.value as { reason?: unknown } | null)?.reason))
    } else if (data !== undefined && (!name || name === 'message')) place(data)
    else if (data !== undefined) {
      flush()
      sink.named?.(name, data)
      alive()
    }
    id = data = undefined
    name = ''
    skipping = false
  }

  function place(data: string) {
    const parsed = data.length > maxBytes ? tooLarge(maxBytes) : reading.read(data)
    if (!parsed.ok) report(parsed)
    else if (id && isEvent(parsed.value)) batch.push({ cursor: id, event: parsed.value as HoldpointEvent })
    else report(id ? (decodeEvent(parsed.value) as typeof noCursor) : noCursor)
  }

  function report({ problem }: ReturnType<typeof refuse>) {
    flush()
    sink.malformed(problem)
  }

  function flush() {
    const events = batch
    batch = []
    if (events.length) sink.events(events)
  }

  return (chunk) => {
    const text = reading.decode(chunk)
    let start = endedWithCr && text[0] === '\n' ? 1 : 0
    if (text) endedWithCr = text.endsWith('\r')
    const ends = /\r\n?|\n/g
    ends.lastIndex = start
    for (let end = ends.exec(text); end; end = ends.exec(text)) {
      readLine(rest + text.slice(start, end.index))
      rest = ''
      start = ends.lastIndex
    }
    rest += text.slice(start)
    if (!skipping && rest.length + (data?.length ?? 0) > maxBytes + FRAME_OVERHEAD) {
      // The rest of the event must not be read as fields, because its text is untrusted.
      skipping = true
      data = undefined
      report(tooLarge(maxBytes))
    }
    if (skipping) rest = rest && '…'
    flush()
  }
}

const tooLarge = (maxBytes: number) =>
  refuse('too_large', `An event was larger than ${maxBytes} bytes and was left out.`)
