import { expect, test } from 'vitest'
import { escapeInvisible, escapeToOneLine, hostOf } from './escape-invisible.ts'

test.each([
  ['\u001b[2J\u001b]0;title\u0007', '\\u{1b}[2J\\u{1b}]0;title\\u{7}'],
  ['a\u009b31mb', 'a\\u{9b}31mb'],
  ['back\u0008\u0008\u007f', 'back\\u{8}\\u{8}\\u{7f}'],
  ['over\rwritten', 'over\\u{d}written'],
  ['rm \u202egpj.exe', 'rm \\u{202e}gpj.exe'],
  ['pay\u200bpal', 'pay\\u{200b}pal'],
  ['tag\u{e0041}', 'tag\\u{e0041}'],
  ['fine: ä 😀 עברית\n\tnext', 'fine: ä 😀 עברית\n\tnext'],
])('%j is shown as %s', (text, shown) => {
  expect(escapeInvisible(text)).toBe(shown)
})

test('escapeToOneLine returns one line, and hostOf the host in punycode', () => {
  expect(escapeToOneLine('a\n  b\nc')).toBe('a b c')
  expect(hostOf('https://аpple.com/login')).toBe('xn--pple-43d.com')
})

test('every invisible character is escaped, and emoji keep their variation selector [N3.1]', () => {
  const invisible = /\p{Default_Ignorable_Code_Point}|\p{Zl}|\p{Zp}|\p{Cc}/u
  const passed: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    const char = String.fromCodePoint(code)
    if (code !== 9 && code !== 10 && invisible.test(char) && escapeInvisible(`a${char}b`).includes(char)) {
      passed.push(code.toString(16))
    }
  }
  expect(passed).toEqual([])
  expect(escapeInvisible('a \u2764\ufe0f b')).toBe('a \u2764\ufe0f b')
})
