import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { pnpm, run } from '../../scripts/run.ts'

export const APPS = join(import.meta.dirname, 'apps')
export const PACKAGES = ['core', 'react', 'server'] as const
const TWO_MINUTES = 120_000
/**
 * The package manager of apps with many dependencies: npm in CI, and elsewhere pnpm, which takes a sixth of the processor
 * time. The smaller apps are installed with npm in each run.
 */
export const MANAGER_OF_LARGE = process.env.CI ? 'npm' : 'pnpm'

export type Tarballs = Record<(typeof PACKAGES)[number], string>

/** The packages as they go to the registry. */
export async function packAll(folder: string): Promise<Tarballs> {
  const packed = {} as Tarballs
  for (const name of PACKAGES) {
    packed[name] = join(folder, `${name}.tgz`)
    const [command, args] = pnpm(['pack', '--out', packed[name]])
    const { ok, output } = await run(command, args, { cwd: resolve('packages', name), quiet: true })
    if (!ok) throw new Error(`${name} could not be packed:\n${output}`)
  }
  return packed
}

export interface Stranger {
  readonly folder: string
  /** Runs a program of the app to its end, and gives what it printed. */
  run(command: string, ...args: string[]): Promise<string>
  /** Starts a server and waits until it printed the words; gives what it printed so far. */
  start(words: RegExp, command: string, ...args: string[]): Promise<string>
  dispose(): Promise<void>
}

/** A copy of an app (one of `apps`, or a folder) in a folder that knows nothing of this workspace, with the tarballs installed. */
export async function stranger(
  app: string,
  tarballs: Tarballs,
  options: { with: 'npm' | 'pnpm'; uses: (keyof Tarballs)[]; versions?: Record<string, string> },
): Promise<Stranger> {
  const folder = mkdtempSync(join(tmpdir(), `holdpoint-stranger-${basename(app)}-`))
  cpSync(resolve(APPS, app), folder, { recursive: true })
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const [name, version] of Object.entries(options.versions ?? {})) {
    for (const group of ['dependencies', 'devDependencies']) {
      if (manifest[group]?.[name]) manifest[group][name] = version
    }
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  addPackages(folder, tarballs, options.uses)
  const made = strangerAt(folder)
  await install(made, tarballs, options.with)
  return made
}

/** Adds the packed packages to the dependencies of an app. */
export function addPackages(folder: string, tarballs: Tarballs, uses: readonly (keyof Tarballs)[]): void {
  const path = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  for (const name of uses) manifest.dependencies[`@holdpoint/${name}`] = `file:${tarballs[name]}`
  writeFileSync(path, JSON.stringify(manifest, null, 2))
}

/** An app in a folder, with the programs of an installation: its own, or that of a folder above. */
export function strangerAt(folder: string, installed = folder): Stranger {
  const app = basename(folder)
  let server: ChildProcess | undefined
  // Nothing of this workspace's own run may leak in: its export condition least of all.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS|VITEST|NODE_ENV|INIT_CWD)/.test(name)),
  )
  const begin = (command: string, args: string[]) => {
    const local = join(installed, 'node_modules/.bin', command)
    return spawn(existsSync(local) ? local : command, args, {
      cwd: folder,
      env: { ...env, NEXT_TELEMETRY_DISABLED: '1', CI: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
  }
  return {
    folder,
    run: (command, ...args) =>
      new Promise((done, fail) => {
        const child = begin(command, args)
        let said = ''
        for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk))
        child.once('error', fail)
        child.once('close', (code) =>
          code === 0
            ? done(said)
            : fail(new Error(`${app}: ${command} ${args.join(' ')} ended with ${code}:\n${said}`)),
        )
      }),
    start: (words, command, ...args) =>
      new Promise((done, fail) => {
        let said = ''
        const child = begin(command, args)
        server = child
        const limit = setTimeout(
          () => fail(new Error(`${app} did not say ${words} in two minutes:\n${said}`)),
          TWO_MINUTES,
        )
        for (const stream of [child.stdout, child.stderr]) {
          stream?.on('data', (chunk) => {
            said += chunk
            if (!words.test(said)) return
            clearTimeout(limit)
            done(said)
          })
        }
        child.once('error', fail)
        child.once('close', (code) => {
          clearTimeout(limit)
          fail(new Error(`${app} ended with ${code}:\n${said}`))
        })
      }),
    async dispose() {
      const running = server
      if (running?.pid && running.exitCode === null) {
        const gone = new Promise((ended) => running.once('exit', ended))
        process.kill(-running.pid, 'SIGKILL')
        await gone
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export async function install(app: Stranger, tarballs: Tarballs, manager: 'npm' | 'pnpm'): Promise<void> {
  if (manager === 'npm')
    return void (await app.run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'))
  // Without overrides npm would look up the dependencies among the packages in a registry, which does not have them
  // yet.
  const overrides = PACKAGES.map((name) => `  '@holdpoint/${name}': 'file:${tarballs[name]}'`)
  writeFileSync(join(app.folder, 'pnpm-workspace.yaml'), `overrides:\n${overrides.join('\n')}\n`)
  await app.run('npx', '-y', 'pnpm@12', 'install', '--prefer-offline', '--no-frozen-lockfile')
}
