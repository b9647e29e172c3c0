import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { drained } from '../http/node/drained.ts'

/** Limits of what the server holds in memory for one WebSocket. */
export interface InflowLimits {
  /** Frames that are handled at the same time. */
  framesInFlight: number
  /** Bytes that may wait to be written before the server stops reading. */
  unreadBytes: number
  /** Bytes that may wait to be written before the server ends the connection. */
  maxBuffered: number
}

/**
 * Handles the frames of a WebSocket. It stops reading while the client has unread responses or enough frames are being
 * handled, so that a client can occupy only a limited amount of memory.
 */
export class SocketInflow {
  readonly #webSocket: WebSocket
  readonly #socket: Duplex
  readonly #limits: InflowLimits
  readonly #handle: (frame: Buffer) => Promise<string>
  /** Frames that arrived after reading was paused. They are from the chunk that was being read, so they are bounded. */
  #held: Buffer[] = []
  #inFlight = 0
  #paused = false
  #draining = false

  constructor(webSocket: WebSocket, socket: Duplex, limits: InflowLimits, handle: (frame: Buffer) => Promise<string>) {
    this.#webSocket = webSocket
    this.#socket = socket
    this.#limits = limits
    this.#handle = handle
    webSocket.on('message', (frame: Buffer) => this.#take(frame))
    // `ws` answers pings by itself even if the client does not read the pongs, so pings must also pause reading.
    webSocket.on('ping', () => this.#pauseIfFull())
  }

  #take(frame: Buffer): void {
    // The server has ended the stream. Messages that arrive before the socket is closed are ignored.
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return
    if (this.#full) this.#held.push(frame)
    else void this.#begin(frame)
    this.#pauseIfFull()
  }

  async #begin(frame: Buffer): Promise<void> {
    this.#inFlight++
    const reply = await this.#handle(frame)
    this.#inFlight--
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return
    this.#webSocket.send(reply)
    if (this.#socket.writableLength > this.#limits.maxBuffered) this.#webSocket.terminate()
    else this.#goOn()
  }

  /** Handles the queued messages, then reads again. */
  #goOn(): void {
    if (this.#clogged) {
      this.#waitForReader()
      return
    }
    const free = this.#limits.framesInFlight - this.#inFlight
    for (const frame of this.#held.splice(0, free)) void this.#begin(frame)
    if (this.#full || !this.#paused) return
    this.#paused = false
    this.#webSocket.resume()
  }

  #pauseIfFull(): void {
    if (!this.#full) return
    if (!this.#paused) {
      this.#paused = true
      this.#webSocket.pause()
    }
    if (this.#clogged) this.#waitForReader()
  }

  #waitForReader(): void {
    if (this.#draining) return
    this.#draining = true
    void drained(this.#socket).then(() => {
      this.#draining = false
      if (this.#webSocket.readyState === this.#webSocket.OPEN) this.#goOn()
    })
  }

  get #clogged(): boolean {
    return this.#socket.writableLength >= this.#limits.unreadBytes
  }

  get #full(): boolean {
    return this.#clogged || this.#inFlight >= this.#limits.framesInFlight
  }
}
