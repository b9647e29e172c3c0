import { refuse } from '../shared/respond.ts'
import type { PartLog } from './part-log.ts'

const PAGE = 200
const HEARTBEAT_MS = 8_000
const encoder = new TextEncoder()

/** A reader's position. */
export interface Place {
  /** The sequence number after which to read. */
  after: number
  /** The run at this position; undefined if that part was dropped. */
  run: string | undefined
}

export interface Reading {
  log: PartLog
  place: Place
  /** Returns whether the run is still active in this process, so that more parts may follow. */
  isActive: () => boolean
  release: () => void
}

/**
 * Streams the parts of a run up to its end, as fast as the browser reads; nothing is buffered for a slow browser. It
 * stops before the next run, because a run whose process died has no end entry.
 */
export function partStream({ log, place, isActive, release }: Reading): ReadableStream<Uint8Array> {
  let { run } = place
  let from = place.after + 1
  let gone = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (!gone) {
          const active = isActive()
          const { entries: read, epoch, more } = await log.read(from, PAGE)
          if (gone) return
          run ??= read[0]?.entry.run
          const foreign = read.findIndex(({ entry }) => entry.run !== run)
          const entries = foreign < 0 ? read : read.slice(0, foreign)
          if (entries.length === 0 && (foreign === 0 || !active)) {
            // The run has no end entry, because its process died.
            controller.enqueue(encoder.encode(frame(`${epoch}.${from - 1}`, INTERRUPTED)))
            return finish(controller)
          }
          if (entries.length === 0) {
            if (await more(HEARTBEAT_MS)) continue
            return controller.enqueue(encoder.encode(': heartbeat\n\n'))
          }
          const end = entries.findIndex(({ entry }) => 'end' in entry)
          const told = end < 0 ? entries : entries.slice(0, end)
          from = (entries.at(end < 0 ? -1 : end)?.seq ?? from) + 1
          const text = told
            .map(({ seq, entry }) => frame(`${epoch}.${seq}`, 'part' in entry ? entry.part : null))
            .join('')
          if (text !== '') controller.enqueue(encoder.encode(text))
          if (end >= 0) return finish(controller)
          if (text !== '') return
        }
      },
      cancel() {
        gone = true
        release()
      },
    },
    { highWaterMark: 0 },
  )

  function finish(controller: ReadableStreamDefaultController): void {
    gone = true
    release()
    controller.close()
  }
}

const INTERRUPTED = { type: 'error', errorText: 'The run was interrupted. Send the prompt again.' }

const frame = (cursor: string, part: unknown) => `event: message\nid: ${cursor}\ndata: ${JSON.stringify(part)}\n\n`

/** Returns the position of a cursor. Throws `cursor_gone` if the parts after it were dropped. */
export async function placeOf(log: PartLog, cursor: string): Promise<Place> {
  const [, epoch, digits] = /^([\w-]{1,64})\.(\d{1,15})$/.exec(cursor) ?? []
  if (epoch === undefined) refuse(400, 'invalid_cursor', 'Invalid cursor. Use the value of the `id` field unchanged.')
  const seq = Number(digits)
  const page = await log.read(Math.max(seq, 1), 1)
  const [there] = page.entries
  if (page.epoch === epoch && seq <= page.head && seq + 1 >= page.floor) {
    return { after: seq, run: there?.seq === seq ? there.entry.run : undefined }
  }
  return refuse(410, 'cursor_gone', 'The parts after this cursor were dropped. Send the prompt again.')
}
