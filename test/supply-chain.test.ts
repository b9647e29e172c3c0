import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dependencyTables, type Found, objections, supplyChain } from '../scripts/supply-chain/page.ts'
import { ROOT } from './support/graph.ts'

const found = supplyChain()

test('somebody wrote down what each dependency is for, and each may be shipped by anybody', () => {
  expect(found.map(({ dependencies }) => dependencies.length > 0)).toEqual([true, true, true])
  expect(objections(found)).toEqual([])
})

test('docs/supply-chain.md says what is installed', () => {
  const page = readFileSync(join(ROOT, 'docs/supply-chain.md'), 'utf8')
  expect(page, 'run `npx -y pnpm@12 supply-chain`').toContain(dependencyTables(found))
})

test('an install runs nothing of ours', () => {
  for (const name of ['core', 'react', 'server']) {
    const { scripts = {} } = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'))
    expect(Object.keys(scripts).filter((one) => /install|prepare/.test(one))).toEqual([])
  }
})

test('a dependency without a reason, and one with a licence that is not for everybody, are objected to', () => {
  const [core] = found as [Found]
  const more = { name: 'left-pad', version: '1.0.0', licence: 'GPL-3.0', size: 1, direct: true }
  const said = objections([{ ...core, dependencies: [...core.dependencies, more] }, ...found.slice(1)])
  expect(said).toEqual([expect.stringMatching(/left-pad: .*reasons/), expect.stringMatching(/left-pad: GPL-3.0/)])
})
