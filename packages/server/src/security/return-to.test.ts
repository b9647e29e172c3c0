import { expect, test } from 'vitest'
import { safeLoopback, safeReturnTo } from './return-to.ts'

const BASE = 'https://app.example/holdpoint'
const OTHERS = ['https://chat.example']

test.each([
  ['/chat/1', 'https://app.example/chat/1'],
  ['/chat/1?a=b#c', 'https://app.example/chat/1?a=b#c'],
  ['https://app.example/x', 'https://app.example/x'],
  ['https://chat.example/x', 'https://chat.example/x'],
])('broker 3: returnTo %s is allowed [B3.1]', (returnTo, href) => {
  expect(safeReturnTo(returnTo, BASE, OTHERS)).toBe(href)
})

test('with a base of plain http, as in development, paths and addresses of the base are allowed', () => {
  expect(safeReturnTo('/chat/1', 'http://localhost:3000', [])).toBe('http://localhost:3000/chat/1')
  expect(safeReturnTo('http://localhost:3000/x', 'http://localhost:3000', [])).toBe('http://localhost:3000/x')
})

test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  '/\n/evil.example',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'https://evil.example',
  'https://app.example@evil.example/',
  'https://user@app.example/',
  'https://user:pass@chat.example/',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'http://app.example/',
  'https://app.example:444/',
  'https://app.example.evil.example/',
  'blob:https://app.example/1',
  'chat/1',
  '',
  ' /chat',
  `/${'x'.repeat(2_100)}`,
])('returnTo %j is rejected [B3.1]', (returnTo) => {
  expect(safeReturnTo(returnTo, BASE, OTHERS)).toBeNull()
})

test.each(['http://127.0.0.1:5123/cb', 'http://[::1]:5123/'])('broker 8: loopback %s is allowed', (address) => {
  expect(safeLoopback(address)).toBe(address)
})

test.each([
  'http://localhost:5123/',
  'https://127.0.0.1:5123/',
  'http://127.0.0.1/',
  'http://127.0.0.1.evil.example:80/',
  'http://127.0.0.1:1@evil.example:80/',
  'http://user@127.0.0.1:5123/',
  'http://:pass@127.0.0.1:5123/',
  'http://127.0.0.1:5123/#x',
  'http://evil.example:5123/',
  'http://127.0.0.1:5123/?code=x',
  'http://127.0.0.1:5123\\@evil.example',
  'http://0.0.0.0:5123/',
  'file:///etc/passwd',
])('loopback %j is rejected', (address) => {
  expect(safeLoopback(address)).toBeNull()
})
