import { cpSync, existsSync, globSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from '../../scripts/run.ts'

/**
 * Sources are copied, as they are or as of a commit; what is installed is linked, except for the workspace's own
 * packages.
 */
export async function copyCheckout(copy: string, commit: string | undefined): Promise<void> {
  if (commit === undefined) {
    const { output } = await run('git', ['ls-files', '-co', '--exclude-standard'], { quiet: true })
    for (const file of output.split('\n').filter((one) => one && existsSync(one))) cpSync(file, join(copy, file))
  } else {
    const archive = join(copy, 'sources.tar')
    await run('git', ['archive', '--output', archive, commit])
    await run('tar', ['-xf', archive, '-C', copy])
  }
  const installed = ['packages/*', 'examples/*', 'bench'].flatMap((pattern) => globSync(`${pattern}/node_modules`))
  for (const folder of installed) cpSync(folder, join(copy, folder), { recursive: true, verbatimSymlinks: true })
  for (const folder of globSync('packages/*/dist')) symlinkSync(resolve(folder), join(copy, folder))
  mkdirSync(join(copy, 'node_modules/@holdpoint'), { recursive: true })
  // Caches stay where they are: what they hold is of the other sources.
  for (const name of readdirSync('node_modules').filter((one) => !['@holdpoint', '.cache', '.vite'].includes(one))) {
    symlinkSync(resolve('node_modules', name), join(copy, 'node_modules', name))
  }
  for (const name of readdirSync('node_modules/@holdpoint')) {
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules/@holdpoint', name))
  }
}
