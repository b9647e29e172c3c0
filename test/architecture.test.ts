import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, sourceFiles } from './support/graph.ts'

const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')

/** `server/engine/asking` of `packages/server/src/engine/asking/open-question.ts`; only the engine has two levels. */
function folderOf(file: string): string | undefined {
  const path = /^packages\/(?:core|react|server)\/src\/.+\/[^/]+$/.test(file) ? dirname(file) : undefined
  const [, name, rest = ''] = /^packages\/([^/]+)\/src\/(.+)$/.exec(path ?? '') ?? []
  if (!name) return undefined
  const [first, second] = rest.split('/')
  return first === 'engine' && second ? `${name}/${first}/${second}` : `${name}/${first}`
}

const folders = [...new Set(sourceFiles().map(folderOf))].filter((folder) => folder !== undefined)
const listed = [...text.matchAll(/^\| `((?:core|react|server)\/[^`]+)` \| (.+) \|$/gm)].map(([, folder]) => folder)

test('ARCHITECTURE.md states the purpose of each source folder', () => {
  expect(folders.filter((folder) => !listed.includes(folder))).toEqual([])
})

test('ARCHITECTURE.md lists no folder that does not exist', () => {
  expect(listed.filter((folder) => !folders.includes(folder ?? ''))).toEqual([])
})

test('each link in ARCHITECTURE.md leads to a file that contains the linked name', () => {
  const links = [...text.matchAll(/\[`([^`]+)`\]\(([^)#]+)\)/g)].map(([, name = '', path = '']) => ({ name, path }))
  expect(links.length).toBeGreaterThan(20)
  const broken = links.filter(({ name, path }) => {
    const file = join(ROOT, path)
    if (!existsSync(file)) return true
    return /^[\w.]+$/.test(name) && !path.endsWith('/') && !readFileSync(file, 'utf8').includes(name)
  })
  expect(broken).toEqual([])
})

test('walk 1 of ARCHITECTURE.md links at most 60 files, from ctx.approve() to the resumed tool', () => {
  const walk = text.slice(text.indexOf('## Walk 1'), text.indexOf('## Walk 2'))
  const files = new Set([...walk.matchAll(/\]\((packages\/[^)#]+)\)/g)].map(([, path]) => path))
  expect(files.size).toBeGreaterThan(20)
  expect(files.size).toBeLessThanOrEqual(60)
})
