import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@holdpoint/server/node'
import { sqliteStore } from '@holdpoint/server/sqlite'
import { type Measured, portOf, text } from './measured.ts'

/**
 * Holdpoint as applications use it: every event is in SQLite, with FULL durability, before any reader sees it; or in
 * memory.
 */
export async function holdpointServer({
  coalesceMs,
  missed = 0,
  inMemory = false,
}: {
  coalesceMs: number
  missed?: number
  inMemory?: boolean
}): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const holdpoint = createHoldpoint({
    store: inMemory ? memoryStore() : sqliteStore({ path: join(folder, 'data.db') }),
    authenticate: () => ({ userId: 'ada' }),
    // One user has them all here.
    http: { coalesceMs, streamsPerUser: 100_000, rateLimit: { burst: 1e9, perSecond: 1e9 } },
  })
  const session = holdpoint.session('s1', { userId: 'ada' })
  const emit = (size: number) => session.emit({ type: 'content', text: text(size) })
  await session.emit({ type: 'content', text: 'the session exists' })
  for (let event = 0; event < missed; event++) await emit(200)
  return {
    port: await portOf(createServer(toNodeHandler(holdpoint))),
    request: ['GET /holdpoint/sessions/s1/events HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    emit,
  }
}
