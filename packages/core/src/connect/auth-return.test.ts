import { describe, expect, test } from 'vitest'
import { handleAuthReturn, readAuthReturn } from './auth-return.ts'
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

  test('reads an account that was connected without a run', () => {
    const returned = { integration: 'slack', outcome: 'connected', popup: false, cleanUrl: BASE }
    expect(readAuthReturn(`${BASE}&auth_complete=slack`)).toEqual(returned)
  })

  test.each(['', '&generation_id=run-1', '&auth_complete=&generation_id=r'])(
    'returns null for the parameters "%s"',
    (query) => {
      expect(readAuthReturn(BASE + query)).toBeNull()
    },
  )
})

test('a report without a run stays in the address for the page that connected the account', async () => {
  const changes: string[] = []
  const window = {
    location: { href: `${BASE}&auth_complete=slack` },
    history: { state: null, replaceState: (_: unknown, __: string, url: string) => changes.push(url) },
    close: () => changes.push('close'),
  } as unknown as Window
  const client = { submitAuthResult: async () => void changes.push('submitted') }
  expect(await handleAuthReturn({ client, window })).toBeNull()
  expect(changes).toEqual([])
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
