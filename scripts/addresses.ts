import { readFileSync, writeFileSync } from 'node:fs'
import { PUBLISHED, withAddresses } from './addresses/manifest.ts'

/** Writes where the project lives, from `repository` of the root's manifest, into those of the packages. */
for (const name of PUBLISHED) {
  const file = `packages/${name}/package.json`
  writeFileSync(file, `${JSON.stringify(withAddresses(name, readFileSync(file, 'utf8')), null, 2)}\n`)
}
