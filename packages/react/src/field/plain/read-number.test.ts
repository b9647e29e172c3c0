import { describe, expect, test } from 'vitest'
import { readNumber, writeNumber } from './read-number.ts'

test.each([
  ['en', '3.5', '3.5'],
  ['en', '3,5', '3.5'],
  ['en', '1,000', '1000'],
  ['en', '1,000.5', '1000.5'],
  ['en', '1.000,5', '1000.5'],
  ['en', '1.000', '1.000'],
  ['en', '0,500', '0.500'],
  ['en', '-2.5e3', '-2.5e3'],
  ['en', '.5', '.5'],
  ['en', '5.', '5'],
  ['en', '+5', '5'],
  ['de', '3,5', '3.5'],
  ['de', '3.5', '3.5'],
  ['de', '1.000,5', '1000.5'],
  ['de', '1.000', '1000'],
  ['de', '1,000', '1.000'],
  ['de', '1.000.000', '1000000'],
  ['de', '−7', '-7'],
  ['fr', '1 000,5', '1000.5'],
  ['fr', '1\u202f000,5', '1000.5'],
  ['fr', '1.000', '1.000'],
  ['de-CH', '1’000.5', '1000.5'],
  ['de-CH', "1'000", '1000'],
  ['en-IN', '12,34,567', '1234567'],
  ['ar', '٣', '3'],
  ['ar-EG', '١٬٠٠٠٫٥', '1000.5'],
  ['ar-EG', '٣٫٥', '3.5'],
  ['en', '٣٫١٢٥', '3.125'],
  ['fa', '۱۲٫۵', '12.5'],
  ['ja', '１２', '12'],
  ['mr', '१२.५', '12.5'],
  ['ar-EG', '\u200f٣\u200e', '3'],
])('the number of the locale %s: "%s" is %s', (locale, typed, plain) => {
  expect(readNumber(typed, locale)).toBe(plain)
})

test.each([
  ['en', ''],
  ['en', 'three'],
  ['en', '1e'],
  ['en', '1,00,0.5'],
  ['en', '1.000.00'],
  ['en', '1,5,2'],
  ['en', '12 34'],
  ['en', '.'],
  ['en', '--1'],
  ['en', '1e999'],
  ['de-CH', '1,000'],
])('the number of the locale %s: "%s" is invalid or ambiguous', (locale, typed) => {
  expect(readNumber(typed, locale)).toBeUndefined()
})

describe('a number written for the reader', () => {
  test('is read back as the same number, in every locale', () => {
    for (const locale of ['en', 'de', 'fr', 'de-CH', 'ar', 'ar-EG', 'fa', 'hi', 'mr', 'ja', 'pt-BR', 'he']) {
      for (const number of [0, 1, -1, 1.125, -1000.5, 1_234_567.25, 0.000001, 123_456_789]) {
        const read = readNumber(writeNumber(String(number), locale), locale)
        expect([locale, Number(read)]).toEqual([locale, number])
      }
    }
  })

  test('text that is no number stays as it was typed', () => {
    expect(writeNumber('1e', 'de')).toBe('1e')
  })
})
