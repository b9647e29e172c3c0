import { createHoldpoint, devUser } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { expect, onTestFinished, test } from 'vitest'
import { RefusalWarnings } from '../../src/http/refusal-warnings.ts'

test('warnings about refused origins are limited to twenty an hour, so that a wrong setting is logged within an hour', () => {
  const logged: string[] = []
  let elapsed = 0
  const logger = { error() {}, warn: (_message: string, facts: unknown) => void logged.push(JSON.stringify(facts)) }
  const warnings = new RefusalWarnings(logger, () => elapsed)
  for (let n = 0; n < 500; n++) warnings.origin(`https://${n}.example`)
  expect(logged).toHaveLength(20)
  warnings.origin('https://app.example')
  expect(logged).toHaveLength(20)
  elapsed += 3_599_999
  warnings.origin('https://app.example')
  expect(logged).toHaveLength(20)
  elapsed += 1
  for (let n = 0; n < 3; n++) warnings.origin('https://app.example')
  expect(logged.slice(20)).toEqual([
    JSON.stringify({ origin: 'https://app.example', option: 'security.allowedOrigins' }),
  ])
})

test.each([
  [
    'devUser() without NODE_ENV',
    devUser('ada', {}),
    'devUser() rejected the request: it works with NODE_ENV=development only. Give createHoldpoint() an `authenticate` of your own.',
  ],
  ['no authenticate', undefined, expect.stringContaining('created without `authenticate`')],
])('the log names the cause when no user can sign in, once: %s', async (_name, authenticate, reason) => {
  const logged: unknown[] = []
  const logger = { debug() {}, info() {}, error() {}, warn: (...line: unknown[]) => void logged.push(line) }
  const holdpoint = createHoldpoint({ store: memoryStore(), logger, ...(authenticate && { authenticate }) })
  onTestFinished(() => holdpoint.close())
  const read = () => holdpoint.fetch(new Request('http://localhost/holdpoint/sessions/chat'))
  for (let n = 0; n < 3; n++) expect((await read()).status).toBe(401)
  expect(logged).toEqual([[reason, { option: 'authenticate' }]])
})
