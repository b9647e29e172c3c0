import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the example keeps its database and keys. Delete the folder to begin again. */
export const home = process.env.HOLDPOINT_HOME ?? '.holdpoint'

/** A secret that is made at the first start. In production it comes from your secret manager. */
export function secret(name: string): string {
  const path = join(home, `${name}.key`)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8')
}
