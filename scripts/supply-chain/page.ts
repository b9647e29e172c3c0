import { type Dependency, dependenciesOf, peersOf } from './dependencies.ts'
import { allowedLicences, reasonOf, reasons } from './reasons.ts'

export const PUBLISHED = ['core', 'react', 'server'] as const

export interface Found {
  name: (typeof PUBLISHED)[number]
  dependencies: Dependency[]
  peers: { needed: string[]; optional: string[] }
}

/** Returns the dependencies of the three packages, as they are installed in this workspace. */
export function supplyChain(): Found[] {
  return PUBLISHED.map((name) => ({
    name,
    dependencies: dependenciesOf(`packages/${name}`),
    peers: peersOf(`packages/${name}`),
  }))
}

/** Returns what must not be published: dependencies without a reason, and licenses that are not allowed. */
export function objections(found: readonly Found[]): string[] {
  const all = found.flatMap(({ dependencies }) => dependencies)
  const objected = all.flatMap(({ name, licence }) => [
    ...(reasonOf(name) ? [] : [`${name}: no reason in scripts/supply-chain/reasons.ts`]),
    ...(allowedLicences.has(licence) ? [] : [`${name}: ${licence} is not in the list of allowed licenses`]),
  ])
  const names = new Set(all.map(({ name }) => name))
  const idle = reasons.flatMap((reason) => reason.names).filter((name) => !name.endsWith('/*') && !names.has(name))
  return [...new Set(objected), ...idle.map((name) => `${name} has a reason, but is no longer installed`)]
}

/** Returns the tables of the installed dependencies. */
export function dependencyTables(found: readonly Found[]): string {
  return [counts(found), '## Reasons', why(found), '## All packages', everything(found)].join('\n\n')
}

function counts(found: readonly Found[]): string {
  const rows = found.map(({ name, dependencies, peers }) => {
    const direct = dependencies.filter((one) => one.direct)
    const list = direct.map((one) => `\`${one.name}\``).join(', ')
    const sum = dependencies.reduce((total, { size }) => total + size, 0)
    return `| \`@holdpoint/${name}\` | ${direct.length}: ${list} | ${dependencies.length} | ${kilobytes(sum)} | ${listed(peers.needed)} | ${listed(peers.optional)} |`
  })
  return [
    '| package | direct dependencies | packages in all | size without ours | required peers | optional peers, for the sub-path of that name |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

/** Escapes pipes, which would end the table cell. */
const listed = (peers: readonly string[]) => peers.join(', ').replaceAll('|', '\\|') || '–'

function why(found: readonly Found[]): string {
  const rows = reasons.map(({ names, does, without }) => {
    const whose = found.filter(({ dependencies }) => dependencies.some(({ name }) => names.includes(reasonName(name))))
    return `| ${names.map((name) => `\`${name}\``).join(', ')} | ${whose.map(({ name }) => name).join(', ')} | ${does} | ${without} |`
  })
  return ['| | in | purpose | what we would write without it |', '|---|---|---|---|', ...rows].join('\n')
}

/** Returns the name under which a dependency's reason is listed. */
function reasonName(name: string): string {
  const names = reasonOf(name)?.names ?? []
  return names.includes(name) ? name : `${name.split('/')[0]}/*`
}

function everything(found: readonly Found[]): string {
  const all = new Map<string, Dependency & { in: string[] }>()
  for (const { name, dependencies } of found) {
    for (const one of dependencies.filter((each) => !each.name.startsWith('@holdpoint/'))) {
      const key = `${one.name} ${one.version}`
      const known = all.get(key) ?? { ...one, in: [] }
      known.in.push(one.direct ? `**${name}**` : name)
      all.set(key, known)
    }
  }
  const rows = [...all.values()]
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(
      (one) => `| \`${one.name}\` | ${one.version} | ${one.licence} | ${kilobytes(one.size)} | ${one.in.join(', ')} |`,
    )
  return ['| | version | license | unpacked | in (bold: direct dependency) |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  )
}

export function kilobytes(bytes: number): string {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`
}
