import { readFileSync } from 'node:fs'
import { limits } from '@holdpoint/core/protocol'
import { expect, test } from 'vitest'
import { defaultTuning } from '../src/http/routing/options.ts'

const page = readFileSync('docs/limits.md', 'utf8')

/** The rows of a chapter: name and default. */
function tableOf(chapter: string): Record<string, number> {
  const text = page.split(`## ${chapter}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = [...text.matchAll(/^\| `([\w.]+)` \| ([\d,]+) \|/gm)]
  return Object.fromEntries(rows.map(([, name = '', value = '']) => [name, Number(value.replaceAll(',', ''))]))
}

test('the table of protocol limits states every limit with its default', () => {
  expect(tableOf('Limits of the protocol')).toEqual({ ...limits })
})

test('the table of HTTP limits states every option with its default', () => {
  const { rateLimit, ...rest } = defaultTuning
  const expected = { ...rest, 'rateLimit.burst': rateLimit.burst, 'rateLimit.perSecond': rateLimit.perSecond }
  expect(tableOf('Limits of the HTTP server')).toEqual(expected)
})

test('an idle stream sends a heartbeat before Bun closes its connection after ten seconds', () => {
  expect(defaultTuning.heartbeatMs).toBeLessThan(10_000)
})

test('the requirements name the peers that the packages declare', () => {
  const { peerDependencies } = JSON.parse(readFileSync('packages/server/package.json', 'utf8'))
  expect([peerDependencies.express, peerDependencies.ai]).toEqual(['^4.18.0 || ^5.0.0', '^7.0.0'])
  expect(page).toContain('| Express | 4.18 or newer, and 5 |')
  expect(page).toContain('| AI SDK (`ai`) | 7 |')
})
