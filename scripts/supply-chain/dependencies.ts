import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Manifest {
  name: string
  version: string
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** A package that is installed with one of ours. */
export interface Dependency {
  name: string
  version: string
  licence: string
  /** Bytes of its files. */
  size: number
  /** Named in our own manifest. */
  direct: boolean
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** All that a package needs to run, as it is installed here: what it names itself first, then by name. */
export function dependenciesOf(folder: string): Dependency[] {
  const found = new Map<string, Dependency>()
  const visit = (manifest: Manifest, at: string, direct: boolean) => {
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      const place = locate(name, at)
      if (!place) continue // An optional one that this platform has no use for.
      const { version, license = 'none', ...rest } = readManifest(place)
      const key = `${name}@${version}`
      const known = found.get(key)
      if (known) known.direct ||= direct
      else {
        // Ours is measured as it is published: here it is a folder full of sources.
        const size = name.startsWith('@holdpoint/') ? 0 : sizeOf(place)
        found.set(key, { name, version, licence: license, size, direct })
        visit({ version, ...rest }, place, false)
      }
    }
  }
  visit(readManifest(folder), realpathSync(folder), true)
  return [...found.values()].sort((a, b) => Number(b.direct) - Number(a.direct) || a.name.localeCompare(b.name))
}

/** Returns the packages that an app installs itself: required ones, and those for a sub-path. */
export function peersOf(folder: string): { needed: string[]; optional: string[] } {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = readManifest(folder)
  const said = Object.entries(peerDependencies).map(([name, range]) => ({ name, text: `\`${name}\` ${range}` }))
  const isOptional = ({ name }: { name: string }) => peerDependenciesMeta[name]?.optional === true
  return {
    needed: said.filter((peer) => !isOptional(peer)).map(({ text }) => text),
    optional: said.filter(isOptional).map(({ text }) => text),
  }
}

/** As Node looks for it, from a real path upwards. */
function locate(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    if (existsSync(join(place, 'package.json'))) return realpathSync(place)
    if (folder === dirname(folder)) return undefined
  }
}

/** Bytes of all files below a folder, without what is installed inside of it. */
export function sizeOf(folder: string, skip = 'node_modules'): number {
  let sum = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === skip) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) sum += sizeOf(path, skip)
    else if (entry.isFile()) sum += statSync(path).size
  }
  return sum
}
