import { HoldpointError } from '../../error.ts'
import { type JsonLimits, parseJson } from '../../json/json.ts'
import { limits } from '../../json/limits.ts'
import { refuse, type WireProblem } from '../../json/result.ts'
import { createUtf8Decoder } from '../../json/utf8.ts'

/**
 * Returns a value as one line. JSON text has no raw line breaks, so each line is one frame.
 *
 * @example
 * process.stdout.write(ndjsonLine({ heartbeat: true }))
 */
export function ndjsonLine(value: unknown): string {
  const json = JSON.stringify(value)
  if (json !== undefined) return `${json}\n`
  throw new HoldpointError('unsafe_frame', 'Only a JSON value can be a line; this one has no JSON text.')
}

/** The callbacks of an NDJSON reader. */
export interface LineSink {
  value(value: unknown): void
  malformed(problem: WireProblem): void
}

/**
 * Reads values from lines whose chunks may end anywhere. A line that is too long, not UTF-8 or not JSON is reported and
 * skipped. An unfinished last line and blank lines are not values.
 *
 * @example
 * const read = createNdjsonReader({
 *   value: (line) => console.log(line),
 *   malformed: ({ message }) => console.warn(message),
 * })
 * await response.body?.pipeTo(new WritableStream({ write: read }))
 */
export function createNdjsonReader(sink: LineSink, options: JsonLimits = {}): (chunk: Uint8Array) => void {
  const { maxBytes = limits.eventBytes } = options
  const decode = createUtf8Decoder()
  let parts: string[] = []
  let size = 0
  /** Invalid bytes may belong to the current line until a line ends in a chunk without invalid bytes. */
  let damaged = false
  let chunkDamaged = false
  let tooLong = false

  function finish() {
    const line = parts.join('').trim()
    const wasTooLong = tooLong
    const wasDamaged = damaged && line.includes('\uFFFD')
    parts = []
    size = 0
    tooLong = false
    damaged = chunkDamaged
    if (wasTooLong)
      sink.malformed(refuse('too_large', `A line was larger than ${maxBytes} bytes and was skipped.`).problem)
    else if (wasDamaged) sink.malformed(refuse('invalid_utf8', 'A line was not valid UTF-8.').problem)
    else if (line !== '') {
      const parsed = parseJson(line, options)
      if (parsed.ok) sink.value(parsed.value)
      else sink.malformed(parsed.problem)
    }
  }

  function keep(text: string) {
    size += text.length
    tooLong ||= size > maxBytes
    if (tooLong) parts = []
    else if (text !== '') parts.push(text)
  }

  return (chunk) => {
    const decoded = decode(chunk)
    chunkDamaged = decoded.damaged
    damaged ||= chunkDamaged
    let from = 0
    for (let at = decoded.text.indexOf('\n'); at >= 0; at = decoded.text.indexOf('\n', from)) {
      keep(decoded.text.slice(from, at))
      finish()
      from = at + 1
    }
    keep(decoded.text.slice(from))
  }
}
