import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostOf, ISOLATE, nameText, POP, visible } from './escape.ts'

describe('visible', () => {
  test('shows characters that change direction, hide or join as escapes [T14.1]', () => {
    expect(visible('invoice\u202Efdp.exe')).toBe('invoice\\u{202e}fdp.exe')
    expect(visible('a\u200Bd\u2066a\u2069\uFEFF')).toBe('a\\u{200b}d\\u{2066}a\\u{2069}\\u{feff}')
    expect(visible('\u{E0041}\u00AD\u0000\u001B[31m')).toBe('\\u{e0041}\\u{ad}\\u{0}\\u{1b}[31m')
    expect(visible('x\uD800y')).toBe('x\\u{d800}y')
  })

  test('keeps no character between two letters that Unicode lists as invisible', () => {
    const passed: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      const char = String.fromCodePoint(code)
      if (/\p{Default_Ignorable_Code_Point}/u.test(char) && visible(`a${char}b`).includes(char)) {
        passed.push(code.toString(16))
      }
    }
    expect(passed).toEqual([])
  })

  test('keeps emoji, Arabic, Persian joiners, tabs and line breaks', () => {
    for (const text of ['👩‍💻 👍🏽 ❤️‍🔥', 'موافقة', 'می‌خواهم', 'क्‍ष', 'a\tb\nc', 'Ünïcödé 日本語']) {
      expect(visible(text)).toBe(text)
    }
  })

  test('shows a joiner between letters that do not join as an escape', () => {
    expect(visible('pay\u200Dpal')).toBe('pay\\u{200d}pal')
  })

  test('threat 14: leaves no invisible or direction character in any text [T14.2]', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
    const bad = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => !bad.test(visible(text))),
      { numRuns: 300 },
    )
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\u202E', '\u200D', '\u2069', 'a', 'ب') }),
        (text) => !bad.test(visible(text)),
      ),
      { numRuns: 300 },
    )
  })
})

test('a name cannot leave its bidirectional isolate or its line', () => {
  expect(nameText(' Ada\n\u2069\u202EBob ')).toBe(`${ISOLATE}Ada \\u{2069}\\u{202e}Bob${POP}`)
})

describe('hostOf', () => {
  test.each([
    ['https://slack.com/oauth?x=1', 'slack.com'],
    ['https://sl\u0430ck.com/', 'xn--slck-63d.com'],
    ['http://localhost:3000/a', 'localhost:3000'],
  ])('of %s is %s', (address, host) => expect(hostOf(address)).toBe(host))

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'https://slack.com@evil.example/',
    '/relative',
    'about:blank',
    '',
  ])('of %s is absent', (address) => expect(hostOf(address)).toBeNull())
})
