import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  doors,
  freeNames,
  type Import,
  importsOf,
  parse,
  ROOT,
  reach,
  say,
  sourceFiles,
  target,
} from './support/graph.ts'
import { moduleState } from './support/state.ts'

/** Module-level state that is meant, by `file name`, with its reason. */
const STATE_ALLOWED: Record<string, string> = {
  'packages/react/src/base/on-demand.ts declared':
    'the parts that the modules of a page declare: as the map of modules itself, it is one for a page, and only grows',
}

/** Entries for servers, bridges and tests only, which may load the schemas and Node. */
const SCHEMAS = ['@holdpoint/core/protocol', '@holdpoint/core/forms/zod']
const NODE = '@holdpoint/core/node'

const code = (door: string) => !door.endsWith('.css')
const browserDoors = Object.entries(doors()).filter(
  ([door]) => /^@holdpoint\/(core|react)\b/.test(door) && door !== NODE && code(door),
)
const all = sourceFiles('packages/*/src', { tests: true })
const lists = (imports: Import[]) => imports.map(say)
const inPackage = (name: string) => (file: string) => file.startsWith(`packages/${name}/src/`)

test('the import graph is complete: every entry leads to a file, and core and server have many files', () => {
  expect(Object.keys(doors())).toEqual(expect.arrayContaining(['@holdpoint/core', '@holdpoint/server/sqlite']))
  expect(sourceFiles().filter(inPackage('core')).length).toBeGreaterThan(10)
  expect(importsOf('test/boundaries.test.ts').map((one) => one.specifier)).toContain('./support/graph.ts')
})

describe('the core package', () => {
  test('uses no global of Node outside src/node and src/cli', () => {
    const uses = sourceFiles('packages/core/src')
      .filter((file) => !/^packages\/core\/src\/(node|cli)\//.test(file))
      .flatMap((file) => freeNames(file).map(({ name, line }) => ({ file, line, name })))
      .filter(({ name }) => ['process', 'Buffer', 'setImmediate', '__dirname', 'require', 'global'].includes(name))
    expect(uses).toEqual([])
  })
})

describe('an entry for browsers:', () => {
  test.each(browserDoors)('%s imports no server code and nothing of Node', (_door, entry) => {
    const { files, outside } = reach(entry)
    expect(
      [...files].filter((file) => /^packages\/(server|conformance)\/|^packages\/core\/src\/node\//.test(file)),
    ).toEqual([])
    expect(
      lists(outside.filter(({ specifier }) => isBuiltin(specifier) || specifier.startsWith('@holdpoint/'))),
    ).toEqual([])
  })

  test.each(['@holdpoint/server/mock', '@holdpoint/server/msw'])(
    '%s imports nothing of Node, because it runs in a page',
    (door) => {
      const { outside } = reach(doors()[door] as string)
      expect(lists(outside.filter(({ specifier }) => isBuiltin(specifier)))).toEqual([])
    },
  )

  test.each(browserDoors.filter(([door]) => !SCHEMAS.includes(door)))('%s reaches no zod', (_door, entry) => {
    expect(lists(reach(entry).outside.filter(({ specifier }) => /^zod(\/|$)/.test(specifier)))).toEqual([])
  })
})

describe('the packages', () => {
  test('are imported only through their exported entries', () => {
    const inside = sourceFiles('{packages,examples}/*/{src,test,app,lib}', { tests: true })
    const others = [...inside, ...sourceFiles('bench', { tests: true }), ...sourceFiles('test', { tests: true })]
    const byDoor = doors()
    const wrong = others.flatMap((file) =>
      importsOf(file).filter((imported) => {
        if (imported.specifier.startsWith('@holdpoint/')) return !(imported.specifier in byDoor)
        const leadsTo = target(imported, byDoor)
        const room = /^packages\/[^/]+\//.exec(leadsTo ?? '')?.[0]
        return !!room && !file.startsWith(room)
      }),
    )
    expect(lists(wrong)).toEqual([])
  })

  test('keep no state in a module', () => {
    const found = sourceFiles()
      .filter((file) => !inPackage('conformance')(file))
      .flatMap((file) => moduleState(parse(file)).map((state) => ({ file, ...state })))
    const unexpected = found.filter(({ file, name }) => !(`${file} ${name}` in STATE_ALLOWED))
    expect(unexpected.map(({ file, line, name, why }) => `${file}:${line} ${name}: ${why}`)).toEqual([])
    const needless = Object.keys(STATE_ALLOWED).filter(
      (key) => !found.some(({ file, name }) => `${file} ${name}` === key),
    )
    expect(needless, 'exceptions that are no longer needed').toEqual([])
  })
})

test('no file is longer than 400 lines', () => {
  const files = [...all, ...sourceFiles('examples/*', { tests: true }), ...sourceFiles('bench', { tests: true })]
  const long = [...new Set(files)]
    .filter((file) => !/\/(node_modules|dist|\.next)\//.test(file))
    .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > 400)
  expect(long).toEqual([])
})

describe('the boundary check', () => {
  const states = (text: string) => moduleState(parse('x.ts', text)).map(({ name }) => name)

  test.each([
    ['let count = 0', 'count'],
    ['var count = 0', 'count'],
    ['const seen = new Set<string>()', 'seen'],
    ['export const cache = new Map()', 'cache'],
    ['class A { static all = [] }', 'A.all'],
    ['class A { static readonly all = new WeakMap() }', 'A.all'],
    ['const list: string[] = []; export const add = (x: string) => { list.push(x) }', 'list'],
    ['const state = { a: { b: 1 } } as { a: { b: number } }; export function f() { state.a.b++ }', 'state'],
    ['const found = /a/g; export const f = (x: string) => found.exec(x)', 'found'],
  ])('detects module state in %s', (text, name) => {
    expect(states(text)).toContain(name)
  })

  test.each([
    'const names: ReadonlySet<string> = new Set(["a"])',
    'const table = { a: 1 } as const',
    'const list = [1]; export function f(list: number[]) { list.push(1) }',
    'const list = [1]; export function f() { const list = [2]; list.push(1) }',
    'const encoder = new TextEncoder()',
    'export function f() { let count = 0; return count++ }',
    'declare let outside: number',
  ])('accepts %s', (text) => {
    expect(states(text)).toEqual([])
  })

  test('detects every kind of import, and which ones are type-only', () => {
    const tree = parse(
      'x.ts',
      `import a from 'a'; import type { B } from 'b'; export * from 'c'; export type { D } from 'd'
       const e = await import('e'); type F = import('f').F; import { type G } from 'g'; import 'h'`,
    )
    const found = importsOf('x.ts', tree)
    expect(found.map((one) => one.specifier).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
    expect(
      found
        .filter((one) => one.typeOnly)
        .map((one) => one.specifier)
        .sort(),
    ).toEqual(['b', 'd', 'f'])
  })
})
