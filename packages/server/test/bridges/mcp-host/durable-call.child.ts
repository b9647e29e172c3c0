import { flushCompileCache } from 'node:module'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { testHuman } from '@holdpoint/server/testing'
import { clientOf } from './files-server.ts'
import { mover, OWNER } from './mover.ts'

// A killed process writes no compile cache when it ends.
flushCompileCache()
process.on('message', () => {})
process.on('disconnect', () => process.exit())

const { path, url } = JSON.parse(process.argv[2] ?? '{}') as { path: string; url: string }
const { holdpoint, move } = mover(sqliteStore({ path }), await clientOf(url))
void move().catch((error) => process.send?.({ failed: String(error) }))
await testHuman(holdpoint, { ...OWNER, nextTimeoutMs: 20_000 }).next()
process.send?.({ asked: true })
