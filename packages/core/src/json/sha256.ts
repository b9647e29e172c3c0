/**
 * SHA-256 (FIPS 180-4). `crypto.subtle` exists only on secure origins, which excludes pages on a local network, and it
 * is asynchronous, while an answer is built synchronously.
 */
export function sha256(message: Uint8Array): Uint8Array {
  const state = initial.slice()
  const { length } = message
  const padded = new Uint8Array((((length + 8) >> 6) << 6) + 64)
  padded.set(message)
  padded[length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, length / 2 ** 29)
  view.setUint32(padded.length - 4, length << 3)
  const w = new Int32Array(64)
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i++) {
      const a = w[i - 15]!
      const b = w[i - 2]!
      w[i] =
        i < 16
          ? view.getInt32(block + i * 4)
          : (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)) + w[i - 16]! + w[i - 7]!
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < 64; i++) {
      const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + k[i]! + w[i]!
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      // Not as one assignment of an array: that allocates for each of the 64 steps of each block.
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    ;[a, b, c, d, e, f, g, h].forEach((word, i) => {
      state[i] = state[i]! + word
    })
  }
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, i) => void digest.setInt32(i * 4, word))
  return new Uint8Array(digest.buffer)
}

const turn = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

const [initial, k] = /* @__PURE__ */ constants()

/** The first 32 bits of the fractional parts of the square and cube roots of the first primes. */
function constants(): [state: Int32Array, k: Int32Array] {
  const primes: number[] = []
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n)
  const bits = (root: number) => (root * 2 ** 32) | 0
  return [
    Int32Array.from(primes.slice(0, 8), (n) => bits(n ** (1 / 2))),
    Int32Array.from(primes, (n) => bits(n ** (1 / 3))),
  ]
}
