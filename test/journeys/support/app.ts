import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runnableBlocks } from '../../../scripts/check-docs.ts'
import { installOnce } from '../../strangers/shared.ts'

const APP = join(import.meta.dirname, '../app')
const GUIDE = 'docs/express.md'
const ACCOUNTS = 'docs/accounts.md'
const blocksOf = (guide: string) => runnableBlocks(guide, readFileSync(resolve(guide), 'utf8')).map(({ code }) => code)

/** The app that all journeys share: installed from packed tarballs into an empty folder, and built once. */
export interface InstalledApp {
  /** An empty folder for the data of one journey, from which the server serves the built page. */
  folder(): string
  /** The built page. */
  readonly page: string
  readonly server: string
  /** Removes what a journey left in Postgres. */
  dropSchema(url: string, schema: string): Promise<void>
  dispose(): Promise<void>
}

/** Installs the app whose server and page are the unchanged code of the guide. */
export async function installApp(): Promise<InstalledApp> {
  const app = (await installOnce()).open('journeys')
  cpSync(APP, app.folder, { recursive: true })
  const [server, page] = blocksOf(GUIDE)
  const returned = blocksOf(ACCOUNTS).find((code) => code.includes('useAuthReturn'))
  if (!server || !page || !returned) throw new Error(`${GUIDE} or ${ACCOUNTS} has lost its server or its page`)
  writeFileSync(join(app.folder, 'chat.tsx'), page)
  writeFileSync(join(app.folder, 'returned.tsx'), returned)
  writeFileSync(join(app.folder, 'server.ts'), withExtras(server))
  await app.run('vite', 'build')
  const folders: string[] = []
  return {
    server: join(app.folder, 'server.ts'),
    page: join(app.folder, 'dist'),
    folder() {
      const folder = mkdtempSync(join(tmpdir(), 'holdpoint-journey-'))
      folders.push(folder)
      symlinkSync(join(app.folder, 'dist'), join(folder, 'dist'))
      return folder
    },
    async dropSchema(url, schema) {
      await app.run(process.execPath, 'drop-schema.mjs', url, schema)
    },
    async dispose() {
      await app.dispose()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The guide's server with a port, a store and accounts from the environment, and with what the guide leaves to the reader. */
function withExtras(guide: string): string {
  const part = (name: string) => readFileSync(join(APP, name), 'utf8')
  const changes: [from: string, to: string][] = [
    ['const holdpoint = createHoldpoint({', `${part('accounts.ts')}\nconst holdpoint = createHoldpoint({`],
    [
      "store: sqliteStore({ path: '.holdpoint/data.db' }),\n  authenticate",
      "store, accounts: broker, http: { routes: broker.routes }, security: { allowedOrigins: process.env.ALLOWED_ORIGINS?.split(' ') },\n  authenticate",
    ],
    ['await holdpoint.recover()', `${part('extras.ts')}\nawait holdpoint.recover()`],
    [
      'app.listen(3000)',
      "const server = app.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening on', server.address().port))\ncountConnections(server)",
    ],
  ]
  return [
    "import { appendFileSync, existsSync } from 'node:fs'",
    "import type { Server } from 'node:http'",
    "import { createAccountBroker, defineOAuthProvider } from '@holdpoint/server/accounts'",
    "import { postgresStore } from '@holdpoint/server/postgres'",
    changes.reduce((code, [from, to]) => replaced(code, from, to), guide).replaceAll(/^declare function .*$/gm, ''),
  ].join('\n')
}

function replaced(code: string, from: string, to: string): string {
  if (!code.includes(from)) throw new Error(`${GUIDE} no longer contains \`${from}\``)
  return code.replace(from, () => to)
}
