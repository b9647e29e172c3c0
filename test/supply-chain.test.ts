import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dependencyTables, type Found, objections, supplyChain } from '../scripts/supply-chain/page.ts'
import { ROOT } from './support/graph.ts'

const found = supplyChain()

test('every dependency has a documented purpose and an allowed license', () => {
  expect(found.map(({ dependencies }) => dependencies.length > 0)).toEqual([true, true, true])
  expect(objections(found)).toEqual([])
})

test('docs/supply-chain.md lists the installed packages', () => {
  const page = readFileSync(join(ROOT, 'docs/supply-chain.md'), 'utf8')
  expect(page, 'run `npx -y pnpm@12 supply-chain`').toContain(dependencyTables(found))
})

test('installing a published package runs no script of it', () => {
  for (const name of ['core', 'react', 'server']) {
    const { scripts = {} } = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'))
    expect(Object.keys(scripts).filter((one) => /install|prepare/.test(one))).toEqual([])
  }
})

test('a workflow pins actions by commit, and the publishing one pins pnpm by version', () => {
  const folder = join(ROOT, '.github/workflows')
  const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
  expect(workflows.length).toBeGreaterThan(1)
  for (const [name, text] of workflows) {
    const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action)
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([])
    const publishes = text.includes('id-token: write')
    if (publishes) expect(text.match(/pnpm@(?!\d+\.\d+\.\d+ )\S*/g) ?? [], name).toEqual([])
  }
})

test('a dependency without a reason, and one with a license that is not allowed, are reported', () => {
  const [core] = found as [Found]
  const more = { name: 'left-pad', version: '1.0.0', licence: 'GPL-3.0', size: 1, direct: true }
  const said = objections([{ ...core, dependencies: [...core.dependencies, more] }, ...found.slice(1)])
  expect(said).toEqual([expect.stringMatching(/left-pad: .*reasons/), expect.stringMatching(/left-pad: GPL-3.0/)])
})
