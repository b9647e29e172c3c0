import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'

/** Appends lines that survive the process that wrote them: they are synced to disk at once, unless `sync` is false. */
export function journalTo(path: string, { sync = true } = {}): (line: readonly unknown[]) => void {
  const file = openSync(path, 'a')
  return (line) => {
    writeSync(file, `${JSON.stringify(line)}\n`)
    if (sync) fsyncSync(file)
  }
}

/** Reads a journal on while others write to it: each call gives the whole lines that are new. */
export class JournalReader<Line> {
  private readonly file: number
  private offset = 0
  private rest = Buffer.alloc(0)

  constructor(path: string) {
    this.file = openSync(path, 'r')
  }

  next(): Line[] {
    const parts = [this.rest]
    for (;;) {
      const part = Buffer.alloc(256 * 1024)
      const length = readSync(this.file, part, 0, part.length, this.offset)
      if (length === 0) break
      this.offset += length
      parts.push(part.subarray(0, length))
    }
    const text = Buffer.concat(parts)
    const end = text.lastIndexOf(10) + 1
    this.rest = text.subarray(end)
    const lines = text.subarray(0, end).toString().split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line)
  }

  close(): void {
    closeSync(this.file)
  }
}
