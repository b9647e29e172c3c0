import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const HERE = join(import.meta.dirname, 'others')
const THERE = join(import.meta.dirname, '../../node_modules/.cache/size-peers')
const manifest = (folder: string) => readFileSync(join(folder, 'package.json'), 'utf8')

/**
 * Installs what is compared with where only this bench sees it, and says where that is: some 300 MB that nobody needs
 * who tests or tries Holdpoint. Kept for the next time.
 */
export function installOthers(): string {
  const kept = existsSync(join(THERE, 'node_modules')) && manifest(THERE) === manifest(HERE)
  if (!kept) {
    rmSync(THERE, { recursive: true, force: true })
    mkdirSync(THERE, { recursive: true })
  }
  cpSync(HERE, THERE, { recursive: true })
  if (!kept) {
    const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', ['install', ...flags], { cwd: THERE, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return THERE
}
