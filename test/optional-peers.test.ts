import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { doors, ROOT, reach } from './support/graph.ts'

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

function optionalPeers(door: string): Set<string> {
  const { peerDependenciesMeta = {} } = JSON.parse(read(`packages/${door.split('/')[1]}/package.json`)) as {
    peerDependenciesMeta?: Record<string, { optional?: boolean }>
  }
  return new Set(Object.keys(peerDependenciesMeta).filter((name) => peerDependenciesMeta[name]?.optional))
}

test('docs/troubleshooting.md has the install command of each import path that fails without an optional peer', () => {
  const rows = read('docs/troubleshooting.md').matchAll(/^\| `(@holdpoint\/[^`]+)` \| `npm install ([^`]+)` \|$/gm)
  const needed = Object.entries(doors()).flatMap(([door, file]) => {
    const optional = optionalPeers(door)
    const peers = new Set(reach(file).outside.map(({ specifier }) => packageOf(specifier)))
    const missing = [...peers].filter((name) => optional.has(name)).sort()
    return missing.length > 0 ? [[door, missing.join(' ')]] : []
  })
  expect(needed.length).toBeGreaterThan(5)
  expect([...rows].map(([, door, command]) => [door, command])).toEqual(needed)
})
