import { cpSync, rmSync } from 'node:fs'
import { run } from './run.ts'

/** Builds the documentation site into `build/site`: the pages, the Storybook and the reference. */
const FOLDER = 'build/site'
const steps: readonly [string, readonly string[]][] = [
  ['vitepress', ['build', 'site']],
  ['storybook', ['build', '--quiet', '-o', `${FOLDER}/storybook`]],
  [process.execPath, ['scripts/api.ts']],
]

rmSync(FOLDER, { recursive: true, force: true })
for (const [command, args] of steps) {
  const { ok } = await run(command, args)
  if (!ok) process.exit(1)
}
cpSync('build/api', `${FOLDER}/api`, { recursive: true })
cpSync('docs/images', `${FOLDER}/docs/images`, { recursive: true })
console.log(`built ${FOLDER}: serve it as static files at the root of a host`)
