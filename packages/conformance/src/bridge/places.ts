import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStore } from '@holdpoint/server/memory'
import { postgresStore } from '@holdpoint/server/postgres'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Store } from '@holdpoint/server/store'
import { onTestFinished } from 'vitest'

/** A database that several processes open. It survives JSON. */
export type Database = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string; schema: string }

/** The data of one row of the suite. */
export type Place = Database | { kind: 'memory' }

/** Opens the store of one node. */
export function openDatabase(place: Database): Store {
  if (place.kind === 'sqlite') return sqliteStore({ path: place.path, pollMs: 2 })
  return postgresStore({ connectionString: place.url, schema: place.schema })
}

/** Returns a function that opens the store of one node. All of them share the data. */
export function storesAt(place: Place): () => Store {
  if (place.kind !== 'memory') return () => openDatabase(place)
  const shared = memoryStore()
  // A node that is closed must not close the store of the others.
  return () => ({ ...shared, close: async () => {} })
}

export function newSqlite(): Database {
  return { kind: 'sqlite', path: join(folder(), 'data.db') }
}

/** A folder that is removed after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdpoint-bridge-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
