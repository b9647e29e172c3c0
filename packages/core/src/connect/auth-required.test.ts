import { describe, expect, test } from 'vitest'
import { AuthRequiredError, detectAuthRequired } from './auth-required.ts'

const json = (integration = 'slack', extra: object = {}) =>
  JSON.stringify({ error: { code: 'AUTH_REQUIRED', integration, message: 'Slack, please' }, ...extra })
const detect = (output: unknown, integrations = ['slack']) => detectAuthRequired(output, { integrations })
const slack = { integration: 'slack', message: 'Slack, please' }

describe('an account is required for', () => {
  test.each<[string, unknown]>([
    ['the complete stdout of a failed command', { exitCode: 1, stdout: `${json()}\n` }],
    ['of a killed command', { exitCode: null, stdout: `\n  ${json()}` }],
    ['a typed error', new AuthRequiredError('slack', 'Slack, please')],
    [
      'the same error from another copy of the package',
      Object.assign(new Error('Slack, please'), { code: 'AUTH_REQUIRED', details: { integration: 'slack' } }),
    ],
    ['a returned value of that shape', JSON.parse(json())],
    ['the error of execFile', Object.assign(new Error('Command failed'), { code: 1, stdout: json() })],
    [
      'the error of execFileSync',
      Object.assign(new Error('x'), { status: 1, stdout: new TextEncoder().encode(json()) }),
    ],
    ['the result of spawnSync', { status: 1, stdout: new TextEncoder().encode(`${json()}\n`) }],
  ])('%s', (_, output) => {
    expect(detect(output)).toEqual(slack)
  })

  test('a 401 of a tool with one declared integration', () => {
    const refused = new Response('', { status: 401 })
    expect(detect(refused)).toEqual({ integration: 'slack' })
    expect(detect(refused, ['slack', 'gmail'])).toBeNull()
    for (const facts of [{ status: 401 }, { statusCode: 401 }, { response: { status: 401 } }]) {
      expect(detect(Object.assign(new Error('Unauthorized'), facts))).toEqual({ integration: 'slack' })
      expect(detect(Object.assign(new Error('Unauthorized'), facts), ['slack', 'gmail'])).toBeNull()
      expect(detect(facts), 'a returned value that also has a status').toBeNull()
    }
  })
})

describe('threat 15: no account is required for [T15.1]', () => {
  test.each<[string, unknown]>([
    ['a command that succeeded', { exitCode: 0, stdout: json() }],
    ['a command that succeeded, by its status', { status: 0, stdout: json() }],
    ['a thrown command with additional output', Object.assign(new Error('x'), { code: 1, stdout: `log\n${json()}` })],
    ['a thrown 403', Object.assign(new Error('Forbidden'), { status: 403 })],
    ['file content with text before it', { exitCode: 1, stdout: `cat: notes.json\n${json()}` }],
    ['file content with text after it', { exitCode: 1, stdout: `${json()}\nerror: no such file` }],
    ['JSON within JSON', { exitCode: 1, stdout: JSON.stringify({ file: json() }) }],
    ['JSON with additional fields', { exitCode: 1, stdout: json('slack', { data: 1 }) }],
    ['a list of such messages', { exitCode: 1, stdout: `[${json()}]` }],
    ['a string that a tool returned', json()],
    ['a string in a result', { content: json() }],
    ['stderr', { exitCode: 1, stdout: '', stderr: json() }],
    ['another code', { error: { code: 'NOT_FOUND', integration: 'slack' } }],
    ['no integration', { error: { code: 'AUTH_REQUIRED' } }],
    ['an ordinary error that quotes such a message', new Error(json())],
    ['a 403', new Response(json(), { status: 403 })],
    ['a 200 with that body', new Response(json(), { status: 200 })],
    ['a megabyte', { exitCode: 1, stdout: json() + ' '.repeat(1_000_000) }],
    ['null', null],
    ['nothing', undefined],
    ['an error that is null', { error: null }],
  ])('threat 15: %s', (_, output) => {
    expect(detect(output)).toBeNull()
  })

  test('a result that names an integration which the tool did not declare requires no account [T15.2]', () => {
    expect(detect({ exitCode: 1, stdout: json('github') })).toBeNull()
    expect(detect(new AuthRequiredError('github'))).toBeNull()
    expect(detect({ exitCode: 1, stdout: json('constructor') })).toBeNull()
    expect(detect({ exitCode: 1, stdout: json() }, [])).toBeNull()
  })
})
