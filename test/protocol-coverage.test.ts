import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorStatus } from '@holdpoint/core/internal'
import { eventTypes, limits, schemas } from '@holdpoint/core/protocol'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const protocol = readFileSync(join(ROOT, 'PROTOCOL.md'), 'utf8')

/** Tests, and the suites that tests run. */
const files = globSync(
  ['packages/*/{src,test}/**/*.test.{ts,tsx}', 'packages/conformance/src/**/*.ts', 'test/**/*.test.ts'],
  {
    cwd: ROOT,
    exclude: (path) => path.includes('node_modules') || path.endsWith('protocol-coverage.test.ts'),
  },
)
const ID = /\bHP-[A-Z]+-\d+\b/g
/** A text between quotes, without comments: a title, or a row of a table of cases. */
const QUOTED = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g

const stated = [...protocol.matchAll(/\[(HP-[A-Z]+-\d+)\]/g)].map(([, id]) => id ?? '')
const proven = new Map<string, string[]>()
for (const file of files) {
  const titles = readFileSync(join(ROOT, file), 'utf8').match(QUOTED) ?? []
  for (const title of titles.filter((text) => !text.startsWith('/'))) {
    for (const id of title.match(ID) ?? []) proven.set(id, [...(proven.get(id) ?? []), file])
  }
}

describe('every MUST of PROTOCOL.md', () => {
  test('has an id of its own', () => {
    expect(stated.length).toBeGreaterThan(60)
    expect(stated.filter((id, i) => stated.indexOf(id) !== i)).toEqual([])
    const [, rules = ''] = protocol.split(/^## Encoding$/m)
    const nameless = rules.split('\n').filter((line) => /\bMUST\b/.test(line) && !/\[HP-[A-Z]+-\d+\]$/.test(line))
    expect(nameless).toEqual([])
  })

  test('is named in the title of a test that proves it', () => {
    expect(
      stated.filter((id) => !proven.has(id)),
      'no test names these',
    ).toEqual([])
  })

  test('exists for each HP id in a test title', () => {
    expect(
      [...proven.keys()].filter((id) => !stated.includes(id)),
      'PROTOCOL.md does not have these',
    ).toEqual([])
  })
})

/** First cell → the others, of the table under a heading. */
function table(heading: string): Map<string, string[]> {
  const [, section = ''] = protocol.split(new RegExp(`^## ${heading}$`, 'm'))
  const rows = [...(section.split(/^## /m)[0] ?? '').matchAll(/^\| (`.+?) \|(.*)\|$/gm)]
  return new Map(
    rows.flatMap(([, first = '', rest = '']) => {
      const cells = rest.split('|').map((cell) => cell.trim())
      return [...first.matchAll(/`(\w+)`/g)].map(([, name = '']): [string, string[]] => [name, cells])
    }),
  )
}

describe('the tables of PROTOCOL.md', () => {
  test('list the same error codes and statuses as the code', () => {
    const written = Object.fromEntries([...table('Errors')].map(([code, [status]]) => [code, Number(status)]))
    expect(written).toEqual({ ...errorStatus })
  })

  test('list the same limits with their defaults as the code', () => {
    const written = Object.fromEntries([...table('Limits')].map(([name, [value]]) => [name, Number(value)]))
    expect(written).toEqual({ ...limits })
  })

  test('list the same events and messages as the schemas', () => {
    expect([...table('Events').keys()].sort()).toEqual([...eventTypes].sort())
    const messages = schemas.clientMessage.options.map((option) => option.shape.type.value)
    expect([...table('Messages').keys()].sort()).toEqual([...messages].sort())
  })

  test('list only existing codes with their statuses for bad input and answers', () => {
    for (const heading of ['Bad input', 'Answers']) {
      const [, section = ''] = protocol.split(new RegExp(`^## ${heading}$`, 'm'))
      const rows = [...(section.split(/^## /m)[0] ?? '').matchAll(/^\|.*$/gm)].map(([row]) => row)
      const codes = rows.flatMap((row) => {
        const [, status, cell = ''] = /\| (4\d\d|5\d\d) \|([^|]*)\|/.exec(row) ?? []
        return [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => [code, Number(status)])
      })
      expect(codes.length).toBeGreaterThan(8)
      for (const [code, status] of codes)
        expect([code, errorStatus[code as keyof typeof errorStatus]]).toEqual([code, status])
    }
  })
})
