import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { excess, figuresOf, pageOf } from '../scripts/api.ts'
import { publishedEntries, readApi } from '../scripts/api-model.ts'

const FIRST = `
  declare namespace z { export type infer<T> = T extends { out: infer O } ? O : never }
  declare const field: { out: { minItems?: number } }
  /** Creates. */ export function create() {}
  export const silent = 1
  /** A schema's type. */ export type Field = z.infer<typeof field>
  /** An answer. */ export type Answer = 'yes'`
const SECOND = `
  export { create } from './first.ts'
  /** Another answer. */ export interface Answer { text: string }`

async function read() {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-api-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const files = Object.entries({ first: FIRST, second: SECOND }).map(([name, text]): [string, string] => {
    writeFileSync(join(folder, `${name}.ts`), text)
    return [name === 'first' ? 'pack' : 'pack/second', join(folder, `${name}.ts`)]
  })
  return readApi(new Map(files))
}

test('the list of the API counts names, finds exports without a comment and names with two meanings', async () => {
  const { entries, project } = await read()
  const figures = figuresOf(entries)
  expect(figures).toEqual({
    names: expect.arrayContaining(['create', 'silent', 'Field', 'Answer']),
    undocumented: ['pack: silent'],
    ambiguous: ['Answer'],
  })
  expect(pageOf(entries)).toContain('| `pack/second` | 2 | `Answer` `create` |')
  expect(excess(figures, { names: 4, undocumented: 1, ambiguous: 1 })).toEqual([])
  expect(excess(figures, { names: 3, undocumented: 0, ambiguous: 0 })).toEqual([
    '4 exported names, the limit is 3',
    '1 exports without a doc comment, the limit is 0:\n  pack: silent',
    '1 names with two meanings, the limit is 0:\n  Answer',
  ])
  // The reference writes out the fields of a schema instead of `z.infer<typeof field>`.
  const field = project.getChildByName(['pack', 'Field'])
  expect(field?.isDeclaration() && field.children?.map(({ name }) => name)).toEqual(['minItems'])
}, 60_000)

test('every import path of the packages is an entry', () => {
  const paths = [...publishedEntries().keys()]
  expect(paths).toEqual(
    expect.arrayContaining(['@holdpoint/core', '@holdpoint/react/query', '@holdpoint/server/sqlite']),
  )
  expect(paths.length).toBeGreaterThan(30)
})
