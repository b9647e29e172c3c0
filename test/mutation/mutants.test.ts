import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { choose } from './choose.ts'
import { explained, explains } from './explained.ts'
import { mutantsOf } from './mutants.ts'
import { rooms } from './rooms.ts'

const ROOT = join(import.meta.dirname, '../..')
const changed = (source: string) =>
  mutantsOf('f.ts', source).map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end))

test('a mutant removes a guard, drops half of a condition, or moves a boundary', () => {
  const source = 'export function f(a: number, b: number) {\n  if (a) throw new Error()\n  return a > 1 && b\n}\n'
  expect(changed(source)).toEqual([
    source.replace('if (a)', 'if ((false as boolean) && (a))'),
    source.replace('a > 1 && b', '(a > 1)'),
    source.replace('a > 1 && b', '(b)'),
    source.replace('a > 1', 'a >= 1'),
  ])
})

test('a mutant omits a step, does not await it, or rethrows an error that was caught', () => {
  const source = 'try { await f(Math.min(a, 9)) } catch {} finally { g() }\nh().catch(() => {})\n'
  expect(changed(source)).toEqual(
    expect.arrayContaining([
      source.replace('await f(Math.min(a, 9))', 'void 0'),
      source.replace('await f(Math.min(a, 9))', 'void f(Math.min(a, 9))'),
      source.replace('Math.min(a, 9)', '(a)'),
      source.replace('catch {}', 'catch (mutated) { throw mutated }'),
      source.replace('finally { g() }', 'finally {}'),
      source.replace('h().catch(() => {})', 'h()'),
    ]),
  )
})

test('a mutant of SQL changes conditions, locks, orders and limits', () => {
  const source = "const a = q('SELECT a FROM b WHERE c = ANY (d) AND e > 1 ORDER BY f LIMIT 9 FOR UPDATE')"
  expect(changed(source)).toEqual([
    source.replace('c = ANY (d)', 'true'),
    source.replace('e > 1', 'true'),
    source.replace('ORDER BY f', ''),
    source.replace(' FOR UPDATE', ''),
    source.replace(' LIMIT 9', ''),
    source.replace('e > 1', 'e >= 1'),
  ])
})

test('a mutant of Lua changes conditions and steps', () => {
  const source = "const s = t(`\nif a and b ~= c then return 1 end\nredis.call('DEL', d)\n`)"
  expect(changed(source)).toEqual([
    source.replace('a and b ~= c', 'false'),
    source.replace('a and b ~= c', 'true'),
    source.replace(' and b ~= c', ''),
    source.replace('a and b ~= c', 'b ~= c'),
    source.replace("redis.call('DEL', d)", ''),
  ])
})

test('one seed makes one choice of mutants, and a small choice is the start of a larger one', () => {
  const all = Array.from({ length: 50 }, (_, n) => n)
  expect(choose(all, 10, 7)).toEqual(choose(all, 20, 7).slice(0, 10))
  expect(choose(all, 10, 7)).not.toEqual(choose(all, 10, 8))
  expect(new Set(choose(all, 50, 7)).size).toBe(50)
})

test('the configured folders of mutants exist, and every explained mutant does too', () => {
  for (const { sources, tests } of Object.values(rooms)) {
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    expect(tests.filter((path) => globSync(`${path}*`, { cwd: ROOT }).length === 0)).toEqual([])
  }
  const gone = explained.filter(
    (one) => !mutantsOf(one.file, readFileSync(join(ROOT, one.file), 'utf8')).some((mutant) => explains(one, mutant)),
  )
  expect(gone.map(({ file, kind, was }) => `${file}: ${kind}: ${was}`)).toEqual([])
})
