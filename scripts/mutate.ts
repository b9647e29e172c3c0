import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { choose } from '../test/mutation/choose.ts'
import { createCompiler } from '../test/mutation/compiler.ts'
import { copyCheckout } from '../test/mutation/copy-checkout.ts'
import { reasonFor } from '../test/mutation/explained.ts'
import { createKillers } from '../test/mutation/killers.ts'
import { type Mutant, mutantsOf } from '../test/mutation/mutants.ts'
import { type MutatedRoom, rooms } from '../test/mutation/rooms.ts'
import { createTestRunner } from '../test/mutation/test-runner.ts'
import type { Failure } from './mutate-runner.ts'
import { since } from './run.ts'

/**
 * Removes one defense at a time, in a copy, and runs the tests that have to notice it.
 *
 *     npx -y pnpm@12 mutate                                 30 of each folder, seed 1
 *     npx -y pnpm@12 mutate engine --count 100 --seed 7
 *     npx -y pnpm@12 mutate engine --file settle            all of the files with this name
 *     npx -y pnpm@12 mutate engine --letters a-i            only folders and files that begin with these letters
 *     npx -y pnpm@12 mutate engine --count 200 --skip 100    the next 100
 *     npx -y pnpm@12 mutate engine --again engine.log       the mutants that survived in that run
 *     npx -y pnpm@12 mutate engine --commit HEAD            the committed sources, not those of the work tree
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    skip: { type: 'string', default: '0' },
    file: { type: 'string' },
    letters: { type: 'string', default: 'a-z' },
    again: { type: 'string' },
    commit: { type: 'string' },
  },
})
const names = positionals.length > 0 ? positionals : Object.keys(rooms)
const copy = mkdtempSync(join(tmpdir(), 'holdpoint-mutate-'))
await copyCheckout(copy, values.commit)
const tests = createTestRunner(copy)
const compiler = createCompiler(copy)
process.once('exit', () => {
  tests.close()
  rmSync(copy, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const totals = { killed: 0, explained: 0, survived: 0 }
for (const name of names) {
  const room = rooms[name]
  if (!room) throw new Error(`There is no room ${name}: choose among ${Object.keys(rooms).join(', ')}.`)
  await mutateRoom(name, room)
}
const all = totals.killed + totals.survived + totals.explained
console.log(`\n${all} mutants: ${totals.killed} killed, ${totals.explained} explained, ${totals.survived} survived`)
process.exit(totals.survived / all < 0.1 ? 0 : 1)

async function mutateRoom(name: string, room: MutatedRoom): Promise<void> {
  const started = performance.now()
  const files = await passing(room)
  const killers = createKillers(files)
  const mutants = chosen(room)
  console.log(`\n${name}: ${mutants.length} mutants, ${files.size} test files (${since(started)})`)
  for (const mutant of mutants) {
    const begun = performance.now()
    const path = join(copy, mutant.file)
    const source = readFileSync(path, 'utf8')
    const put = (text: string) => writeFileSync(path, text)
    const mutated = source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end)
    put(mutated)
    /** Luck is no test: what failed has to fail again; what was late must be in time without the mutant. */
    const reliable = async (file: string, late: boolean) => {
      if (late) put(source)
      const again = await tests.run([file], path)
      if (late) put(mutated)
      return again.passed === late
    }
    let killer: string | undefined
    let order = killers.order(mutant.file)
    while (order.length > 0) {
      const outcome = await tests.run(order, path)
      if (outcome.passed) break
      const { file, message } = outcome.failure
      const late = /^.*(timed out|within \d|in time)/.test(message)
      if (file && !(await reliable(file, late))) {
        order = order.filter((one) => one !== file)
        continue
      }
      if (!late) killers.killed(mutant.file, file)
      killer = `${late ? 'late: ' : ''}${told(outcome.failure)}`
      break
    }
    const compiled = killer !== undefined || compiler.compiles(mutant.file)
    put(source)
    if (!compiled && compiler.compiles(mutant.file)) killer = 'the compiler'
    const why = killer ? undefined : reasonFor(mutant)
    totals[killer ? 'killed' : why ? 'explained' : 'survived']++
    const word = killer ? `killed by ${killer}` : why ? `explained: ${why}` : 'SURVIVED'
    console.log(`${label(mutant)}\n    ${word} (line ${mutant.line}, ${since(begun)})`)
  }
}

/** The room's test files that pass without a mutant, with how long each took. One may fail once: others work here. */
async function passing(room: MutatedRoom): Promise<Map<string, number>> {
  const found = room.tests.flatMap((path) => globSync(`${path}{,/**/*,*}.test.ts`, { cwd: copy }))
  const files = new Set(found.filter((one) => !one.includes('.browser.')).map((name) => join(copy, name)))
  const failed = new Set<string>()
  while (files.size > 0) {
    const outcome = await tests.run([...files])
    if (outcome.passed) return new Map([...files].map((file) => [file, outcome.took[file] ?? 1]))
    const { failure } = outcome
    if (failed.has(failure.file)) {
      console.log(`left out, for it fails without any mutant: ${told(failure)}`)
      if (!files.delete(failure.file)) break
    }
    failed.add(failure.file)
  }
  throw new Error('The tests fail without any mutant.')
}

function chosen(room: MutatedRoom): Mutant[] {
  const [from = '', to = from] = values.letters.split('-')
  const within = (file: string, source: string) => {
    const first = file === source ? basename(file)[0] : file[source.length + 1]
    return first !== undefined && from <= first && first <= to
  }
  const inRoom = room.sources
    .flatMap((source) => filesOf(source).filter((file) => within(file, source)))
    .filter((file) => file.includes(values.file ?? ''))
  const found = inRoom.flatMap((file) => mutantsOf(file, readFileSync(join(copy, file), 'utf8')))
  if (values.again !== undefined) {
    const lines = readFileSync(values.again, 'utf8').split('\n')
    const before = new Set(lines.filter((_, nth) => lines[nth + 1]?.trim().startsWith('SURVIVED')))
    return found.filter((mutant) => before.has(label(mutant)))
  }
  return values.file === undefined
    ? choose(found, Number(values.count), Number(values.seed)).slice(Number(values.skip))
    : found
}

function label({ file, kind, was, text }: Mutant): string {
  return `  ${file} · ${kind} · ${was} → ${text.replace(/\s+/g, ' ').slice(0, 60)}`
}

function told({ file, test, message }: Failure): string {
  const first = stripVTControlCharacters(message).split('\n')[0]
  return `${file.slice(copy.length + 1)} › ${test} › ${first?.slice(0, 120)}`
}

function filesOf(path: string): string[] {
  const place = join(copy, path)
  if (!existsSync(place)) return []
  if (statSync(place).isFile()) return [path]
  const found = globSync(`${path}/**/*.ts`, { cwd: copy })
  return found.filter((file) => !/\.(test|bench)\.ts$|\/testing\//.test(file)).sort()
}
