import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const PUBLISHED = ['core', 'react', 'server'] as const

/** The manifest of a package with its addresses: npm shows them, and holds provenance against them. */
export function withAddresses(name: (typeof PUBLISHED)[number], text: string): Record<string, unknown> {
  const root = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  const home: string = root.repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
  const {
    name: called,
    version,
    description,
    keywords,
    homepage: _,
    bugs: __,
    repository: ___,
    ...rest
  } = JSON.parse(text)
  const directory = `packages/${name}`
  return {
    ...{ name: called, version, description, keywords },
    homepage: `${home}/tree/main/${directory}#readme`,
    bugs: `${home}/issues`,
    repository: { ...root.repository, directory },
    ...rest,
  }
}
