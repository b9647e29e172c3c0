import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { explained } from '../test/mutation/explained.ts'
import { choose, type Mutant, mutantsOf } from '../test/mutation/mutants.ts'
import { type MutatedRoom, rooms } from '../test/mutation/rooms.ts'
import { pnpm, run, since } from './run.ts'

/**
 * Takes one defence away at a time, in a copy, and runs the tests that have to notice.
 *
 *     npx -y pnpm@12 mutate                          30 of each room, seed 1
 *     npx -y pnpm@12 mutate engine --count 100 --seed 7
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
})
const names = positionals.length > 0 ? positionals : Object.keys(rooms)
const copy = mkdtempSync(join(tmpdir(), 'holdpoint-mutate-'))
process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
await copyCheckout()
const typed = await compiles()
if (!typed) console.log('The checkout does not compile, so the compiler notices nothing here.')

const totals = { killed: 0, survived: 0, explained: 0 }
for (const name of names) {
  const room = rooms[name]
  if (!room) throw new Error(`There is no room ${name}: choose among ${Object.keys(rooms).join(', ')}.`)
  await mutateRoom(name, room)
}
const all = totals.killed + totals.survived + totals.explained
console.log(`\n${all} mutants: ${totals.killed} killed, ${totals.explained} explained, ${totals.survived} survived`)
process.exit(totals.survived / all < 0.1 ? 0 : 1)

async function mutateRoom(name: string, room: MutatedRoom): Promise<void> {
  console.log(`\n${name}`)
  if (!(await passes(room))) throw new Error(`The tests of ${name} fail without any mutant.`)
  const all = room.sources.flatMap(filesOf).flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')))
  for (const mutant of choose(all, Number(values.count), Number(values.seed))) {
    const started = performance.now()
    const path = join(copy, mutant.file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end))
    // What no test notices the compiler may: a value that is used without the guard that says it is there.
    const survived = (await passes(room)) && (!typed || (await compiles()))
    writeFileSync(path, source)
    const why = survived ? reason(mutant) : undefined
    totals[survived ? (why ? 'explained' : 'survived') : 'killed']++
    const word = survived ? (why ? `explained (${why})` : 'SURVIVED') : 'killed'
    console.log(
      `  ${word} · ${mutant.file}:${mutant.line} · ${mutant.kind} · ${mutant.was} → ${mutant.text.slice(0, 60)} (${since(started)})`,
    )
  }
}

async function passes(room: MutatedRoom): Promise<boolean> {
  const [command, args] = pnpm(['vitest', 'run', '--project', 'node', '--bail', '1', ...room.tests])
  const { ok } = await run(command, args, { cwd: copy, quiet: true, env: { HOLDPOINT_KILLS: '5' } })
  return ok
}

async function compiles(): Promise<boolean> {
  return (await run('tsc', ['--noEmit', '-p', 'tsconfig.json'], { cwd: copy, quiet: true })).ok
}

function reason(mutant: Mutant): string | undefined {
  return explained.find(({ file, was }) => file === mutant.file && mutant.was.startsWith(was))?.why
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return globSync(`${path}/**/*.ts`, { exclude: (name) => /\.(test|bench)\.ts$/.test(name) }).sort()
}

/** Sources are copied; what is installed is linked, except for the workspace's own packages. */
async function copyCheckout(): Promise<void> {
  const { output } = await run('git', ['ls-files', '-co', '--exclude-standard'], { quiet: true })
  for (const file of output.split('\n').filter((one) => one && existsSync(one))) cpSync(file, join(copy, file))
  const installed = ['packages/*', 'examples/*', 'bench'].flatMap((pattern) => globSync(`${pattern}/node_modules`))
  for (const folder of installed) cpSync(folder, join(copy, folder), { recursive: true, verbatimSymlinks: true })
  for (const folder of globSync('packages/*/dist')) symlinkSync(resolve(folder), join(copy, folder))
  mkdirSync(join(copy, 'node_modules/@holdpoint'), { recursive: true })
  for (const name of readdirSync('node_modules').filter((one) => one !== '@holdpoint' && one !== '.cache')) {
    symlinkSync(resolve('node_modules', name), join(copy, 'node_modules', name))
  }
  for (const name of readdirSync('node_modules/@holdpoint')) {
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules/@holdpoint', name))
  }
}
