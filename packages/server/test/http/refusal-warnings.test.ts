import { expect, test } from 'vitest'
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
