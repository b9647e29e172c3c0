import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pnpm, run } from '../../scripts/run.ts'
import type { EveryPeer, LeftOut, LoadedPeer } from './resume/peer.ts'

const HERE = join(import.meta.dirname, 'resume')
/** Not for the compiler to follow: who has not run this bench does not have what it imports. */
const MODULE: string = './resume/every-peer.ts'

interface InstalledPeers {
  everyPeer: EveryPeer
  loadedPeers(): Promise<{ peers: LoadedPeer[]; close(): Promise<void> }>
  LEFT_OUT: readonly LeftOut[]
}

/**
 * Installs what `resume/` compares with, if it is not there, as its own lock says: some 270 MB that nobody needs who tests
 * or tries Holdpoint. Its types are checked here, because nobody else can.
 */
export async function installedPeers(): Promise<InstalledPeers> {
  if (!isInstalled())
    await must('install', ...pnpm(['install', '--ignore-workspace', '--ignore-scripts', '--frozen-lockfile']))
  await must('type-check', join(HERE, '../../../node_modules/.bin/tsc'), ['-p', HERE])
  return await import(MODULE)
}

/** pnpm keeps a copy of the lock that it installed by. */
function isInstalled(): boolean {
  const [wanted, there] = [join(HERE, 'pnpm-lock.yaml'), join(HERE, 'node_modules/.pnpm/lock.yaml')]
  return existsSync(there) && readFileSync(there, 'utf8') === readFileSync(wanted, 'utf8')
}

async function must(verb: string, command: string, args: readonly string[]): Promise<void> {
  const { ok, output } = await run(command, args, { cwd: HERE, quiet: true })
  if (!ok) throw new Error(`could not ${verb} the peers of bench/peers/resume:\n${output}`)
}
