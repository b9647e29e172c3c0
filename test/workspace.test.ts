import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './support/graph.ts'

test('the workspace resolves its packages to their sources', () => {
  for (const name of ['@holdpoint/core', '@holdpoint/core/protocol', '@holdpoint/server/sqlite', '@holdpoint/react']) {
    expect(import.meta.resolve(name)).toMatch(/\/packages\/\w+\/src\//)
  }
})

test('the lockfile names no registry host', () => {
  expect(readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8')).not.toMatch(/\bhttps?:\/\//)
})

test('each published package requires the same version of Node', () => {
  const manifests = ['core', 'react', 'server'].map((name) =>
    JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')),
  )
  for (const { engines, license, type } of manifests) {
    expect({ engines, license, type }).toEqual({ engines: { node: '>=22.13' }, license: 'MIT', type: 'module' })
  }
  expect(new Set(manifests.map(({ version }) => version)).size).toBe(1)
})
