import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packAll, type Tarballs } from '../../test/strangers/stranger.ts'
import { build } from '../build.ts'
import { run } from '../run.ts'
import { sizeOf } from './dependencies.ts'
import { kilobytes, PUBLISHED } from './page.ts'

/** Measures the size of an install: packs the packages and installs each in an empty folder with npm. */
export async function footprint(): Promise<string> {
  if (!(await build({ stale: true }))) throw new Error('The packages do not build: see above.')
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-footprint-'))
  try {
    const tarballs = await packAll(folder)
    const rows: string[] = []
    for (const name of PUBLISHED) {
      const installed = await install(name, tarballs)
      const { size } = statSync(tarballs[name])
      rows.push(
        `| \`@holdpoint/${name}\` | ${kilobytes(size)} | ${kilobytes(installed.own)} | ${installed.packages} | ${kilobytes(installed.all)} |`,
      )
    }
    const head = [
      '| package | tarball | unpacked | packages in `node_modules` | `node_modules` in all |',
      '|---|---|---|---|---|',
    ]
    return [...head, ...rows].join('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function install(name: (typeof PUBLISHED)[number], tarballs: Tarballs) {
  const folder = mkdtempSync(join(tmpdir(), `holdpoint-footprint-${name}-`))
  try {
    const uses = name === 'core' ? (['core'] as const) : (['core', name] as const)
    const dependencies = Object.fromEntries(uses.map((one) => [`@holdpoint/${one}`, `file:${tarballs[one]}`]))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
    const args = ['install', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
    const { ok, output } = await run('npm', args, { cwd: folder, quiet: true })
    if (!ok) throw new Error(`${name} could not be installed:\n${output}`)
    const modules = join(folder, 'node_modules')
    const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { packages: object }
    return {
      own: sizeOf(join(modules, '@holdpoint', name)),
      packages: Object.keys(lock.packages).length,
      all: sizeOf(modules, '.package-lock.json'),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
