import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findCycles, nameOf } from '../scripts/folder-cycles.ts'
import { checkFolders, largeFolders } from '../scripts/folders.ts'
import { ROOT } from './support/graph.ts'

/** Checks a workspace of these files. */
function check(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'holdpoint-folders-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  copyFileSync(join(ROOT, '.dependency-cruiser.mjs'), join(root, '.dependency-cruiser.mjs'))
  for (const [path, text] of Object.entries({ 'tsconfig.json': '{}', 'package.json': '{}', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return checkFolders(root, {})
}

const LIMIT = { timeout: 60_000 }
const outer = 'packages/server/src/engine'
const cycle = {
  [`${outer}/ask.ts`]: "import type { Row } from './state/row.ts'\nexport type Ask = Row",
  [`${outer}/state/row.ts`]: "export type Row = string\nexport type { Answer } from './answer.ts'",
  [`${outer}/state/answer.ts`]: "export type Answer = import('../settle.ts').Settle",
  [`${outer}/settle.ts`]: 'export type Settle = string',
}

test('a cycle between a folder and a folder inside it is found, also if all imports are types', LIMIT, async () => {
  const { ok, output } = await check(cycle)
  expect(ok).toBe(false)
  expect(output).toContain(`${outer} → ${outer}/state (${outer}/ask.ts imports ${outer}/state/row.ts)`)
  expect(output).toContain(`${outer}/state → ${outer} (${outer}/state/answer.ts imports ${outer}/settle.ts)`)
})

test(
  'a folder with more than twelve source files is found: tests do not count, and listed folders have a limit',
  LIMIT,
  async () => {
    const folder = 'packages/core/src/client'
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/f${i}.ts`, 'export {}']))
    expect(await check({ ...files(12), [`${folder}/a.test.ts`]: 'export {}' })).toMatchObject({ ok: true })
    const { ok, output } = await check(files(13))
    expect(ok).toBe(false)
    expect(output).toContain(`${folder} has 13 source files, the limit is 12`)
    const sources = Object.keys(files(13))
    expect(largeFolders(sources, { [folder]: 13 })).toEqual([])
    expect(largeFolders([...sources, `${folder}/f13.ts`], { [folder]: 13 })).toHaveLength(1)
    expect(largeFolders(sources.slice(1), { [folder]: 13 })).toEqual([
      `${folder} has at most 12 files: remove it from FLAT`,
    ])
  },
)

test.each([
  ['core-knows-no-react', 'packages/core/src/client/a.ts', "import 'react'"],
  ['core-knows-node-in-its-node-folders-only', 'packages/core/src/client/a.ts', "import type { Stats } from 'node:fs'"],
  [
    'decisions-know-no-network',
    'packages/core/src/forms/a.ts',
    "import '../target/b.ts'",
    'packages/core/src/target/b.ts',
  ],
  [
    'engine-and-stores-know-no-caller',
    'packages/server/src/store/a.ts',
    "import '../http/b.ts'",
    'packages/server/src/http/b.ts',
  ],
  [
    'published-code-knows-no-conformance-suite',
    'packages/react/src/a.ts',
    "import '../../conformance/src/b.ts'",
    'packages/conformance/src/b.ts',
  ],
  ['imports-lead-to-files', 'packages/react/src/a.ts', "import './nowhere.ts'"],
])('the rule %s finds its violation', LIMIT, async (rule, file, text, target = 'packages/react/src/b.ts') => {
  const { ok, output } = await check({ [file]: text, [target]: 'export {}' })
  expect(ok).toBe(false)
  expect(output).toContain(`${file} must not import`)
  expect(output).toContain(`(${rule})`)
})

test('a file in a package’s src is a folder of its own, so that an index may export what uses another root file', () => {
  const edges = [
    { from: 'packages/a/src/index.ts', to: 'packages/a/src/client/client.ts' },
    { from: 'packages/a/src/client/client.ts', to: 'packages/a/src/error.ts' },
  ]
  expect(findCycles(edges)).toEqual([])
  const back = { from: 'packages/a/src/error.ts', to: 'packages/a/src/client/other.ts' }
  const found = findCycles([...edges, back])
  expect(found.map((cycle) => cycle.map(nameOf).sort())).toEqual([
    ['packages/a/src/client → packages/a/src/error.ts', 'packages/a/src/error.ts → packages/a/src/client'],
  ])
})
