import { createInterface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'
import { HoldpointError } from '../../error.ts'

export interface TerminalStreams {
  input: Readable & { isTTY?: boolean }
  output: Writable & { isTTY?: boolean; columns?: number }
}

/** How long a question must be on screen before a yes counts. */
const READING_TIME_MS = 500

/** Shown when a yes came too early to be meant for this question. */
export const TOO_EARLY = 'This answer came before you could read the question. Please answer again.'

/** Returns lines that belong to the line above them. */
export const indented = (text: string): string => text.replace(/^/gm, '    ')

/** Asks for lines, one question at a time. */
export interface Prompter {
  print(text: string): void
  /**
   * Discards lines that were typed before a question appeared or disappeared. Lines from a pipe are kept for the next
   * questions.
   */
  discardTyped(): void
  /** False while the last prompt has been on screen too briefly to have been read. A pipe has no screen: always true. */
  readable(): boolean
  /** Aborts when the input ends. */
  readonly ended: AbortSignal
  /** True once the input has ended and no line of it is left for a question. */
  isExhausted(): boolean
  /** Reads a line; with `hidden` the typed text is not shown. Rejects on abort and at the end of the input. */
  line(question: string, options?: { hidden?: boolean; signal?: AbortSignal }): Promise<string>
  close(): void
}

/** `now` is a clock that is never set back, in milliseconds. Ctrl-C calls `onInterrupt`, whether a question is shown or not. */
export function createPrompter(
  { input, output }: TerminalStreams,
  now = () => performance.now(),
  onInterrupt = () => {},
): Prompter {
  let hidden = false
  const screen = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden) output.write(chunk)
      done()
    },
  })
  const lines: string[] = []
  let waiting: { take(line: string): void; fail(error: unknown): void } | null = null
  const ended = new AbortController()
  let drawnAt = Number.NEGATIVE_INFINITY
  const terminal = Boolean(input.isTTY && output.isTTY)
  const reader = createInterface({ input, output: screen, terminal })
  // A pipe's lines arrive before their questions and are kept for them; `discardTyped` drops those of a person.
  reader.on('line', (line) => {
    const asked = waiting
    // One line answers one question, even if several lines arrive together.
    waiting = null
    if (asked) asked.take(line)
    else lines.push(line)
  })
  reader.on('SIGINT', () => {
    waiting?.fail(new HoldpointError('interrupted', 'Interrupted; nothing was answered.'))
    onInterrupt()
  })
  reader.on('close', () => {
    ended.abort()
    waiting?.fail(closed())
  })

  return {
    print: (text) => void output.write(`${text}\n`),

    discardTyped() {
      if (!terminal) return
      lines.length = 0
      // A half-typed line also belongs to the old question, so the editor moves to its end and deletes to its start.
      reader.write(null, { ctrl: true, name: 'e' })
      reader.write(null, { ctrl: true, name: 'u' })
    },

    readable: () => !terminal || now() - drawnAt >= READING_TIME_MS,

    ended: ended.signal,

    isExhausted: () => ended.signal.aborted && lines.length === 0,

    async line(question, { hidden: secret = false, signal } = {}) {
      signal?.throwIfAborted()
      if (terminal && !secret) {
        // The line editor prints its prompt again with every change.
        reader.setPrompt(question)
        reader.prompt()
      } else {
        reader.setPrompt('')
        output.write(question)
      }
      drawnAt = now()
      const early = lines.shift()
      if (early !== undefined) {
        if (!terminal) output.write('\n')
        return early
      }
      if (ended.signal.aborted) throw closed()
      hidden = secret && terminal
      try {
        return await new Promise<string>((take, fail) => {
          waiting = { take, fail }
          signal?.addEventListener('abort', () => fail(signal.reason), { once: true })
        })
      } finally {
        waiting = null
        if (hidden || !terminal || signal?.aborted) output.write('\n')
        hidden = false
      }
    },

    close: () => reader.close(),
  }
}

function closed(): HoldpointError {
  return new HoldpointError('terminal_closed', 'The input ended before the question was answered.')
}
