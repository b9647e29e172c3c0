import { connect, type Socket } from 'node:net'

/**
 * Many readers in a separate process: they send a request and count the `|` in the response, for every protocol.
 * Controlled by messages: `{ connect }`, `{ expect }`, `{ close }`.
 */
export interface Connect {
  port: number
  count: number
  /**
   * Sent when connected; `\x00`-separated parts are sent one after the other, each after the first bytes of a response.
   */
  request: string[]
  /** Readers that never read. */
  stalled?: boolean
  /** So many connect at one time: more than a server's queue holds are sent away by the kernel. All, unless told. */
  atOnce?: number
}

const sockets: Socket[] = []
let seen = 0
let expected = Number.POSITIVE_INFINITY

process.on('message', (message: { connect?: Connect; expect?: number; close?: true }) => {
  if (message.connect) void open(message.connect)
  if (message.expect !== undefined) {
    expected = message.expect
    check()
  }
  if (message.close) {
    for (const socket of sockets.splice(0)) socket.destroy()
    seen = 0
    expected = Number.POSITIVE_INFINITY
    process.send?.({ closed: true })
  }
})

// Without the parent process there is nothing to do.
process.on('disconnect', () => process.exit())

async function open({ port, count, request, stalled, atOnce = count }: Connect) {
  const [first = '', ...rest] = request
  const opened = []
  for (let i = 0; i < count; i++) {
    if (i % atOnce === 0) await Promise.all(opened)
    const socket = connect({ port, host: '127.0.0.1' })
    sockets.push(socket)
    opened.push(
      new Promise<void>((resolve, reject) => {
        const later = [...rest]
        socket.on('connect', () => {
          socket.write(Buffer.from(first, 'latin1'))
          if (stalled) {
            socket.pause()
            resolve()
          }
        })
        socket.on('error', reject)
        if (stalled) return
        socket.on('data', (data) => {
          const next = later.shift()
          if (next !== undefined) socket.write(Buffer.from(next, 'latin1'))
          else resolve()
          countMarks(data)
        })
      }),
    )
  }
  // A bare write() server says nothing before its first event.
  if (request.length > 0 && first !== 'raw') await Promise.all(opened)
  process.send?.({ connected: true })
}

function countMarks(data: Buffer) {
  for (let at = data.indexOf(124); at >= 0; at = data.indexOf(124, at + 1)) seen++
  check()
}

function check() {
  if (seen < expected) return
  expected = Number.POSITIVE_INFINITY
  process.send?.({ done: seen })
  seen = 0
}
