import { describe, expect, test } from 'vitest'
import { integrations } from '../connect/integrations.ts'
import { configFolder } from './config-folder.ts'
import { openBrowser } from './open-browser.ts'
import { reportAuthRequired, requireToken } from './require-token.ts'

class Exit extends Error {}
const caught = (run: (io: { write(line: string): void; exit(code: number): never }) => unknown) => {
  const lines: string[] = []
  let code: number | undefined
  try {
    run({
      write: (line) => void lines.push(line),
      exit: (given) => {
        code = given
        throw new Exit()
      },
    })
  } catch (error) {
    if (!(error instanceof Exit)) throw error
  }
  return { code, lines }
}

describe('requireToken', () => {
  test.each(Object.entries(integrations))(
    '%s: returns the token of its variable, or prints the JSON and exits with 1',
    (integration, { name, variable }) => {
      expect(requireToken(integration, { env: { [variable]: 'token' } })).toBe('token')
      const { code, lines } = caught((io) => requireToken(integration, { env: { [variable]: '' }, ...io }))
      expect(code).toBe(1)
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        { error: { code: 'AUTH_REQUIRED', integration, message: `${name} must be connected first.` } },
      ])
    },
  )

  test('knows the variable names of the ten integrations', () => {
    expect(Object.values(integrations).map(({ variable }) => variable)).toEqual([
      'SLACK_ACCESS_TOKEN',
      'GMAIL_ACCESS_TOKEN',
      'GOOGLE_CALENDAR_ACCESS_TOKEN',
      'GOOGLE_DOCS_ACCESS_TOKEN',
      'GOOGLE_SHEETS_ACCESS_TOKEN',
      'GOOGLE_DRIVE_ACCESS_TOKEN',
      'NOTION_ACCESS_TOKEN',
      'AIRTABLE_ACCESS_TOKEN',
      'HUBSPOT_ACCESS_TOKEN',
      'LINKEDIN_ACCOUNT_ID',
    ])
  })

  test('accepts added integrations, and rejects an unknown one with unknown_integration', () => {
    const mine = { ...integrations, linear: { name: 'Linear', variable: 'LINEAR_TOKEN' } }
    expect(requireToken('linear', { integrations: mine, env: { LINEAR_TOKEN: 'x' } })).toBe('x')
    expect(() => requireToken('linear')).toThrow(expect.objectContaining({ code: 'unknown_integration' }))
    expect(() => requireToken('constructor')).toThrow(expect.objectContaining({ code: 'unknown_integration' }))
    expect(caught((io) => reportAuthRequired('own', { message: 'Why', ...io })).lines[0]).toContain('"Why"')
  })
})

describe('openBrowser', () => {
  test.each([
    ['linux', 'xdg-open', ['https://example.com/?a=b&c=%22d%22']],
    ['darwin', 'open', ['https://example.com/?a=b&c=%22d%22']],
    ['win32', 'rundll32.exe', ['url.dll,FileProtocolHandler', 'https://example.com/?a=b&c=%22d%22']],
  ])(
    'on %s passes the address to the browser as one argument, without a shell [B9.1]',
    async (platform, program, args) => {
      const started: unknown[] = []
      const start = async (...given: unknown[]) => {
        started.push(given)
        return true
      }
      expect(await openBrowser('https://example.com/?a=b&c="d"', { platform, start })).toBe(true)
      expect(started).toEqual([[program, args]])
    },
  )

  test.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://example.com/',
    'https://user:pass@example.com/',
    'smb://host/share',
    '--help',
    'http://localhost.example.com/',
  ])('%s is rejected', async (address) => {
    const start = async () => expect.unreachable()
    await expect(openBrowser(address, { start })).rejects.toThrow()
  })

  test('allows http for addresses of this machine, and returns false without a browser', async () => {
    expect(await openBrowser('http://127.0.0.1:5000/x', { start: async () => false })).toBe(false)
    const { PATH } = process.env
    process.env.PATH = ''
    try {
      expect(await openBrowser('https://example.com/', { platform: 'linux' })).toBe(false)
    } finally {
      process.env.PATH = PATH
    }
  })
})

test.each([
  ['linux', {}, '/home/ada/.config/notes'],
  ['linux', { XDG_CONFIG_HOME: '/xdg' }, '/xdg/notes'],
  ['darwin', {}, '/home/ada/.config/notes'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/notes'],
] as const)('configFolder on %s with %j returns the folder of the platform', (platform, env, folder) => {
  expect(configFolder('notes', { platform, env, home: '/home/ada' })).toBe(folder)
})
