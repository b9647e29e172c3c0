import { type Dependency, dependenciesOf, peersOf } from './dependencies.ts'
import { allowedLicences, reasonOf, reasons } from './reasons.ts'

export const PUBLISHED = ['core', 'react', 'server'] as const

export interface Found {
  name: (typeof PUBLISHED)[number]
  dependencies: Dependency[]
  peers: { needed: string[]; optional: string[] }
}

/** What the three packages bring along, as it is installed in this workspace. */
export function supplyChain(): Found[] {
  return PUBLISHED.map((name) => ({
    name,
    dependencies: dependenciesOf(`packages/${name}`),
    peers: peersOf(`packages/${name}`),
  }))
}

/** What must not be published: nobody knows why it is there, or its licence is not one for everybody. */
export function objections(found: readonly Found[]): string[] {
  const all = found.flatMap(({ dependencies }) => dependencies)
  const objected = all.flatMap(({ name, licence }) => [
    ...(reasonOf(name) ? [] : [`${name}: scripts/supply-chain/reasons.ts does not say what it does for us`]),
    ...(allowedLicences.has(licence) ? [] : [`${name}: ${licence} is not in the list of allowed licences`]),
  ])
  const names = new Set(all.map(({ name }) => name))
  const idle = reasons.flatMap((reason) => reason.names).filter((name) => !name.endsWith('/*') && !names.has(name))
  return [...new Set(objected), ...idle.map((name) => `${name}: has a reason, and is not installed any more`)]
}

/** The tables that follow from what is installed. */
export function dependencyTables(found: readonly Found[]): string {
  return [counts(found), '## Why each is there', why(found), '## All of them', everything(found)].join('\n\n')
}

function counts(found: readonly Found[]): string {
  const rows = found.map(({ name, dependencies, peers }) => {
    const direct = dependencies.filter((one) => one.direct)
    const list = direct.map((one) => `\`${one.name}\``).join(', ')
    const sum = dependencies.reduce((total, { size }) => total + size, 0)
    return `| \`@holdpoint/${name}\` | ${direct.length}: ${list} | ${dependencies.length} | ${kilobytes(sum)} | ${listed(peers.needed)} | ${listed(peers.optional)} |`
  })
  return [
    '| package | names itself | installed in all | of other people’s files | the app brings | only for a sub-path of that name |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

/** A stroke would end the cell. */
const listed = (peers: readonly string[]) => peers.join(', ').replaceAll('|', '\\|') || '–'

function why(found: readonly Found[]): string {
  const rows = reasons.map(({ names, does, without }) => {
    const whose = found.filter(({ dependencies }) => dependencies.some(({ name }) => names.includes(reasonName(name))))
    return `| ${names.map((name) => `\`${name}\``).join(', ')} | ${whose.map(({ name }) => name).join(', ')} | ${does} | ${without} |`
  })
  return ['| | in | what it does for us | what we would write without it |', '|---|---|---|---|', ...rows].join('\n')
}

/** The name under which a dependency's reason stands. */
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
  return ['| | version | licence | unpacked | in (bold: named by it) |', '|---|---|---|---|---|', ...rows].join('\n')
}

export function kilobytes(bytes: number): string {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`
}
