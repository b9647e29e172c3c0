import { describe, expect, test } from 'vitest'
import { readAuthReturn } from './auth-return.ts'
import { isInAppBrowser } from './in-app-browser.ts'

const BASE = 'https://app.example/chat/7?thread=9'

describe('readAuthReturn', () => {
  test('reads a completed connection, and the address without its parameters', () => {
    expect(readAuthReturn(`${BASE}&auth_complete=slack&generation_id=run-1&flow_id=f-1&auth_popup=1#x`)).toEqual({
      integration: 'slack',
      generationId: 'run-1',
      flowId: 'f-1',
      outcome: 'connected',
      popup: true,
      cleanUrl: `${BASE}#x`,
    })
  })

  test.each([
    ['auth_failed=slack&auth_error=access_denied', 'denied', 'access_denied'],
    ['auth_complete=slack&auth_error=access_denied', 'denied', 'access_denied'],
    ['auth_failed=slack', 'failed', 'failed'],
    ['auth_failed=slack&auth_error=constructor', 'failed', 'constructor'],
    ['auth_failed=slack&auth_error=wrong_account', 'wrong-account', 'wrong_account'],
    ['auth_complete=slack&auth_error=fewer_scopes', 'connected-fewer', 'fewer_scopes'],
  ])('reads %s as %s', (query, outcome, error) => {
    expect(readAuthReturn(`${BASE}&${query}&generation_id=run-1`)).toMatchObject({ outcome, error, cleanUrl: BASE })
  })

  test.each(['', '&auth_complete=slack', '&generation_id=run-1', '&auth_complete=&generation_id=r'])(
    'returns null for the parameters "%s"',
    (query) => {
      expect(readAuthReturn(BASE + query)).toBeNull()
    },
  )
})

test.each([
  [
    true,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS]',
  ],
  [
    true,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  ],
  [true, 'Mozilla/5.0 (Linux; Android 14; Pixel; wv) AppleWebKit/537.36 Version/4.0 Chrome/120 Mobile Safari/537.36'],
  [true, 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36 Instagram 300.0'],
  [
    false,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
  ],
  [false, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140 Safari/537.36'],
])('isInAppBrowser returns %s for %s', (inside, userAgent) => {
  expect(isInAppBrowser(userAgent)).toBe(inside)
})
