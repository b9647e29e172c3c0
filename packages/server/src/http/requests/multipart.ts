import { refuse } from './refuse.ts'

const HEADER_BYTES = 8 * 1024
const PARTS = 5_000
const LINE = bytesOf('\r\n')
const HEADERS_END = bytesOf('\r\n\r\n')

/** One part of a form. Bytes that are not read are dropped when the next part is requested. */
export interface Part {
  name: string
  /** The name of a file: empty if none was chosen, undefined if the part is a text. */
  fileName: string | undefined
  type: string
  /** Returns the bytes, or null if they are more than `maxBytes`. They are dropped then, and never kept in memory. */
  read(maxBytes: number): Promise<Uint8Array | null>
}

/**
 * Reads a `multipart/form-data` body part by part. It keeps one part in memory, and only as much of it as the caller
 * allows.
 */
export async function* partsOf(chunks: AsyncIterable<Uint8Array>, contentType: string): AsyncGenerator<Part> {
  const delimiter = bytesOf(`\r\n--${boundaryOf(contentType)}`)
  const source = new Source(chunks)
  try {
    await source.drop(delimiter)
    for (let count = 0; !(await source.isNext('--')); count++) {
      if (count >= PARTS) refuse('invalid_message', `The form has more than ${PARTS} parts.`)
      await source.drop(LINE)
      const headers = new TextDecoder().decode((await source.read(HEADERS_END, HEADER_BYTES)) ?? malformed())
      let isRead = false
      const read = (maxBytes: number) => {
        isRead = true
        return source.read(delimiter, maxBytes)
      }
      yield { ...factsOf(headers), read }
      if (!isRead) await source.drop(delimiter)
    }
  } finally {
    await source.close()
  }
}

/** A body as one sequence of bytes, of which it keeps what was received and not yet consumed. */
class Source {
  readonly #chunks: AsyncIterator<Uint8Array>
  // The first delimiter has no line before it.
  #buffer = LINE

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Whether the next bytes are these, which are consumed then. */
  async isNext(text: string): Promise<boolean> {
    while (this.#buffer.byteLength < text.length) await this.#receive()
    if (indexOf(this.#buffer.subarray(0, text.length), bytesOf(text)) !== 0) return false
    this.#buffer = this.#buffer.subarray(text.length)
    return true
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  async drop(delimiter: Uint8Array): Promise<void> {
    for await (const _ of this.#until(delimiter));
  }

  /** Returns the bytes before the delimiter, or null if they are more than `maxBytes`. Consumes the delimiter. */
  async read(delimiter: Uint8Array, maxBytes: number): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of this.#until(delimiter)) {
      size += part.byteLength
      if (size <= maxBytes) parts.push(part)
      else parts.length = 0
    }
    return size <= maxBytes ? joined(parts, size) : null
  }

  async *#until(delimiter: Uint8Array): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = indexOf(this.#buffer, delimiter)
      // The last bytes can be the beginning of a delimiter.
      const end = at < 0 ? this.#buffer.byteLength - delimiter.byteLength + 1 : at
      if (end > 0) yield this.#buffer.subarray(0, end)
      this.#buffer = this.#buffer.subarray(at < 0 ? Math.max(0, end) : at + delimiter.byteLength)
      if (at >= 0) return
      await this.#receive()
    }
  }

  async #receive(): Promise<void> {
    const { done, value } = await this.#chunks.next()
    if (done) malformed()
    this.#buffer = joined([this.#buffer, value], this.#buffer.byteLength + value.byteLength)
  }
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(contentType) ?? []
  return quoted ?? plain ?? malformed()
}

/** Reads the headers of a part as browsers write them. */
function factsOf(headers: string): Pick<Part, 'name' | 'fileName' | 'type'> {
  const lines = headers.split('\r\n').map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line] as const)
  const value = (header: string) => {
    const line = lines.find(([name]) => name === header)?.[1]
    return line?.slice(header.length + 1).trim()
  }
  const parameters = (value('content-disposition') ?? malformed()).matchAll(/;[ \t]*([\w*-]+)="([^"]*)"/g)
  const named = new Map([...parameters].map(([, name = '', text = '']) => [name.toLowerCase(), unescaped(text)]))
  const type = value('content-type') ?? 'application/octet-stream'
  return { name: named.get('name') ?? malformed(), fileName: named.get('filename'), type }
}

/** Browsers escape these three characters in names, and no others. */
const unescaped = (text: string) => text.replace(/%(?:22|0D|0A)/gi, (code) => decodeURIComponent(code))

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  const [first = 0] = wanted
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (at + wanted.byteLength > bytes.byteLength) return -1
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at
  }
  return -1
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size)
  let end = 0
  for (const part of parts) {
    all.set(part, end)
    end += part.byteLength
  }
  return all
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function malformed(): never {
  refuse('invalid_message', 'The form is malformed: it is not multipart/form-data as browsers send it.')
}
