import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint, upToDate } from './fingerprint.ts'
import { run, since } from './run.ts'

export type Example = 'nextjs' | 'express'

const plans = {
  nextjs: {
    from: ['{app,components,lib}/**/*', '*.{ts,json,diff}'],
    into: '.next',
    command: ['node_modules/next/dist/bin/next', 'build'],
  },
  express: {
    from: ['page/**/*', '*.{ts,json}'],
    into: 'dist',
    command: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  },
} as const

const STAMP = '.holdpoint-built'

/**
 * Builds an example's pages, unless their sources and the packages have the content of the last build. A server that
 * runs reads the built files, so a second build while it runs would break its pages.
 */
export function buildExample(example: Example): Promise<boolean> {
  const dir = join('examples', example)
  return upToDate(
    join(dir, '.dist-building'),
    join(dir, plans[example].into, STAMP),
    () => sourcesOf(dir, example),
    (wanted) => perform(dir, example, wanted),
  )
}

async function perform(dir: string, example: Example, wanted: string): Promise<boolean> {
  const { command, into } = plans[example]
  const started = performance.now()
  const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
  const built = await run(process.execPath, command, { cwd: dir, quiet: true, env })
  if (built.ok) {
    writeFileSync(join(dir, into, STAMP), wanted)
    console.log(`built examples/${example} in ${since(started)}`)
  } else console.error(`${built.output}\nexamples/${example} does not build`)
  return built.ok
}

function sourcesOf(dir: string, example: Example): string {
  // `next build` writes these two itself.
  const written = new Set(['next-env.d.ts', 'tsconfig.tsbuildinfo'])
  const own = globSync([...plans[example].from], { cwd: dir }).filter((name) => !written.has(name))
  const packages = ['core', 'react', 'server'].map((name) => join('packages', name, 'dist/.built'))
  return [fingerprint(dir, own), ...packages.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''))].join()
}
