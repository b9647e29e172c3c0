import { createInterface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'
import { HoldpointError } from '../../error.ts'

export interface TerminalStreams {
  input: Readable & { isTTY?: boolean }
  output: Writable & { isTTY?: boolean; columns?: number }
}

/** Asks for lines, one question at a time. */
export interface Prompter {
  print(text: string): void
  /** A line; with `hidden` what is typed is not shown. Rejects when the signal says so, and at the end of the input. */
  line(question: string, options?: { hidden?: boolean; signal?: AbortSignal }): Promise<string>
  close(): void
}

export function createPrompter({ input, output }: TerminalStreams): Prompter {
  let hidden = false
  const screen = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden) output.write(chunk)
      done()
    },
  })
  const lines: string[] = []
  let waiting: { take(line: string): void; fail(error: unknown): void } | null = null
  let ended = false
  const terminal = Boolean(input.isTTY && output.isTTY)
  const reader = createInterface({ input, output: screen, terminal })
  // Lines that arrive before their question (a pipe) are kept for it.
  reader.on('line', (line) => {
    const asked = waiting
    // One line answers one question, though more may come in the same breath.
    waiting = null
    if (asked) asked.take(line)
    else lines.push(line)
  })
  reader.on('SIGINT', () => waiting?.fail(new HoldpointError('interrupted', 'Interrupted; nothing was answered.')))
  reader.on('close', () => {
    ended = true
    waiting?.fail(closed())
  })

  return {
    print: (text) => void output.write(`${text}\n`),

    async line(question, { hidden: secret = false, signal } = {}) {
      signal?.throwIfAborted()
      if (terminal && !secret) {
        // The line editor draws its prompt again with every change.
        reader.setPrompt(question)
        reader.prompt()
      } else {
        reader.setPrompt('')
        output.write(question)
      }
      const early = lines.shift()
      if (early !== undefined) {
        if (!terminal) output.write('\n')
        return early
      }
      if (ended) throw closed()
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
