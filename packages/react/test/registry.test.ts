import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { registryItemSchema } from '@shadcn/registry/schema'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'

const home = join(import.meta.dirname, '../registry')
const source = readFileSync(join(home, 'holdpoint.tsx'), 'utf8')
const entry = JSON.parse(readFileSync(join(home, 'holdpoint.json'), 'utf8'))

test('the registry entry contains the file next to it, and lists its dependencies', async () => {
  const [file] = entry.files
  expect(file.content).toBe(source)
  expect(entry.dependencies).toEqual(['@holdpoint/core', '@holdpoint/react'])
  expect(entry.registryDependencies).toEqual([...source.matchAll(/@\/components\/ui\/(\w+)/g)].map(([, name]) => name))
  expect((await transform(source, { loader: 'tsx' })).code).toContain('Holdpoint')
})

test('the registry entry imports only existing exports of @holdpoint/react', async () => {
  const names = [...source.matchAll(/import \{([^}]*)\} from '@holdpoint\/react'/g)].flatMap(([, list]) =>
    (list ?? '').split(',').map((name) => name.trim()),
  )
  const values = names.filter((name) => !name.startsWith('type '))
  expect(Object.keys(await import('../src/index.ts'))).toEqual(expect.arrayContaining(values))
})

test("the registry entry is valid by shadcn's own schema and loses nothing", () => {
  const { $schema: _, ...item } = entry
  expect(registryItemSchema.parse(entry)).toMatchObject(item)
  expect(registryItemSchema.safeParse({ ...entry, type: 'registry:card' }).success).toBe(false)
})
