import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { maxEventBytes } from '../../json/limits.ts'
import { readJson } from '../../json/read-json.ts'
import { type Decoded, refuse } from '../../json/result.ts'
import type { HoldpointEvent } from '../../protocol/events.ts'

import { decodeEvent } from '../events/decode-event.ts'
import { isEvent } from '../events/event-shapes.ts'
import { type FrameSink, noCursor, type PlacedEvent, readReason } from '../events/frame.ts'

/** Room for the field names, the cursor and line ends around an event's JSON. */
const FRAME_OVERHEAD = 1024
const BLANK_LINE = /\r\n\r\n|\n\n|\r\r/

/** How bytes are decoded and values are parsed. Use `strictReading()` for streams of untrusted peers. */
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
  /** The last characters of the part that is skipped, while an oversized event is skipped; empty at its start. */
  let skipped: string | undefined
  const alive = () => sink.alive()

  const parser = createParser({
    maxBufferSize: maxBytes + FRAME_OVERHEAD,
    onEvent(message) {
      if (message.event === 'reset') {
        flush()
        const parsed = readJson(message.data)
        sink.reset(readReason(parsed.ok && (parsed.value as { reason?: unknown } | null)?.reason))
      } else if (!message.event || message.event === 'message') place(message)
      else {
        flush()
        sink.named?.(message.event, message.data)
        alive()
      }
    },
    onComment: alive,
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') skipped = ''
    },
  })

  function place({ id, data }: EventSourceMessage) {
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
    let text = reading.decode(chunk)
    // The rest of an oversized event must not be parsed as lines: its text is untrusted, and a chunk that begins with
    // "data:" would count as an event.
    if (skipped) {
      skipped += text
      const end = BLANK_LINE.exec(skipped)
      text = end ? skipped.slice(end.index + end[0].length) : ''
      skipped = end ? undefined : skipped.slice(-3)
    }
    if (text) parser.feed(text)
    if (skipped === '') {
      skipped = text.slice(-3)
      parser.reset()
      report(tooLarge(maxBytes))
    }
    flush()
  }
}

const tooLarge = (maxBytes: number) =>
  refuse('too_large', `An event was larger than ${maxBytes} bytes and was left out.`)
