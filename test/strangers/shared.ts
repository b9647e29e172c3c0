import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { upToDate } from '../../scripts/fingerprint.ts'
import {
  APPS,
  addPackages,
  install,
  MANAGER_OF_LARGE,
  PACKAGES,
  packAll,
  type Stranger,
  strangerAt,
  type Tarballs,
} from './stranger.ts'

/** The files of one run share these: the first one that asks makes them, and the others wait. */

const runFolder = () => {
  const folder = process.env.HOLDPOINT_RUN_FOLDER
  if (!folder) throw new Error('run-folder.ts is no longer in `globalSetup` of vitest.config.ts')
  return folder
}

async function once(name: string, perform: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(runFolder(), name)
  const done = `${folder}.done`
  const make = async (mark: string) => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    await perform(folder)
    writeFileSync(done, mark)
    return true
  }
  await upToDate(`${folder}.lock`, done, () => 'done', make)
  return folder
}

/** The packages as they go to the registry, packed once for all files of a run. */
export async function packOnce(): Promise<Tarballs> {
  const folder = await once('packed', packAll)
  return Object.fromEntries(PACKAGES.map((name) => [name, join(folder, `${name}.tgz`)])) as Tarballs
}

/** One installation of the packed packages, with everything that guides and journeys use beside them. */
export interface SharedInstall {
  readonly folder: string
  /** An empty folder for an app, from which the installation is found. */
  open(name: string): Stranger
}

export async function installOnce(): Promise<SharedInstall> {
  const tarballs = await packOnce()
  const folder = await once('installed', async (folder) => {
    cpSync(join(APPS, 'shared'), folder, { recursive: true })
    addPackages(folder, tarballs, PACKAGES)
    await install(strangerAt(folder), tarballs, MANAGER_OF_LARGE)
  })
  return {
    folder,
    open(name) {
      const own = join(folder, name)
      mkdirSync(own, { recursive: true })
      writeFileSync(join(own, 'package.json'), '{ "type": "module" }')
      return strangerAt(own, folder)
    },
  }
}
