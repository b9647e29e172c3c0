import { createInterface } from 'node:readline/promises'
import { escapeInvisible } from '@holdpoint/core/node'
import { Interrupted } from './exit-codes.ts'

/**
 * The output of results, progress and questions. With `--json` all of it is one object per line, and no question is
 * asked.
 */
export interface Screen {
  /** Whether there is a person to ask. */
  readonly interactive: boolean
  /** A step on the way: a line for people, an object for programs. */
  step(event: string, facts: object, text: string): void
  /** How it ended. Goes to stdout, where the rest of a pipe reads it. */
  result(facts: object, text: string): void
  failure(code: string, text: string): void
  /** Shows progress; `end` removes it. */
  progress(text: string): void
  end(): void
  ask(question: string): Promise<string>
  /** Lines of the input until it ends, with a question before each if the input is a terminal. */
  lines(question: string): AsyncGenerator<string>
}

export function createScreen(json: boolean, signal: AbortSignal): Screen {
  const { stdin, stdout, stderr } = process
  const interactive = !json && stdin.isTTY === true && stderr.isTTY === true
  const say = (stream: NodeJS.WriteStream, text: string) => void stream.write(`${escapeInvisible(text)}\n`)
  const write = (facts: object) => void stdout.write(`${JSON.stringify(facts)}\n`)
  let shown = ''

  const screen: Screen = {
    interactive,
    step(event, facts, text) {
      screen.end()
      if (json) write({ event, ...facts })
      else say(stderr, text)
    },
    result(facts, text) {
      screen.end()
      if (json) write({ event: 'result', ...facts })
      else say(stdout, text)
    },
    failure(code, text) {
      screen.end()
      if (json) write({ event: 'error', code, message: text })
      else say(stderr, text)
    },
    progress(text) {
      if (json || text === shown) return
      if (interactive) stderr.write(`\r\u001b[K${escapeInvisible(text)}`)
      // In a log one line is enough.
      else if (!shown) say(stderr, text)
      shown = text
    },
    end() {
      if (interactive && shown) stderr.write('\r\u001b[K')
      shown = ''
    },
    async ask(question) {
      const reader = createInterface({ input: stdin, output: stderr })
      try {
        return await reader.question(escapeInvisible(question), { signal })
      } catch {
        throw new Interrupted()
      } finally {
        reader.close()
      }
    },
    async *lines(question) {
      const reader = createInterface({ input: stdin, output: stderr, terminal: interactive, prompt: question })
      const stop = () => reader.close()
      signal.addEventListener('abort', stop, { once: true })
      reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
      if (interactive) reader.prompt()
      for await (const line of reader) {
        if (line.trim()) yield line.trim()
        if (interactive && !signal.aborted) reader.prompt()
      }
      signal.removeEventListener('abort', stop)
      signal.throwIfAborted()
    },
  }
  return screen
}
