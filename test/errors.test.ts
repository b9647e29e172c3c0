import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorStatus } from '@holdpoint/core/internal'

import { expect, test } from 'vitest'
import { ROOT, sourceFiles } from './support/graph.ts'

const CODES = 'packages/core/src/protocol/error-codes.ts'
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const codes = [...read(CODES).matchAll(/'(\w+)'/g)].map(([, code]) => code ?? '')
const documented = [...read('docs/errors.md').matchAll(/^\| `(\w+)` \| .+ \| .+ \|$/gm)].map(([, code]) => code ?? '')

test('docs/errors.md explains each code of HoldpointErrorCode once, in the same order', () => {
  expect(codes.length).toBeGreaterThan(100)
  expect(documented).toEqual(codes)
})

test('HoldpointErrorCode and the table of the protocol share no code', () => {
  expect(codes.filter((code) => code in errorStatus)).toEqual([])
})

test('each code of HoldpointErrorCode is used', () => {
  const sources = sourceFiles('packages/*/src')
    .filter((file) => file !== CODES)
    .map(read)
    .join('\n')
  expect(codes.filter((code) => !new RegExp(`['"]${code}['"]`).test(sources))).toEqual([])
})
