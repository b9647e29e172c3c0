import fc from 'fast-check'

/**
 * Every character of Unicode with the same probability, without halves of pairs: a `unit` for `fc.string`. fast-check's own
 * `binary` gives the same texts, but writes a table of all characters first, which takes half a second in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10_ffff - 0x800)
  .map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800))
