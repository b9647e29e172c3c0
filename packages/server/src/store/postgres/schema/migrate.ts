import { storeError } from '../../shared/errors.ts'
import type { Connections, Query } from '../pool/connections.ts'
import { migrationSql, quoteSchema, SCHEMA_VERSION } from './schema.ts'

/**
 * Returns the version of the schema in the database, or 0 without a schema. Throws `store_newer` if the version is
 * newer than this release.
 */
async function schemaVersion(query: Query, schema: string): Promise<number> {
  // to_regclass() would read from a cache, which is not refreshed while the migration waits for the lock.
  const [table] = await query(
    `SELECT 1 AS there FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = $1 AND relname = 'meta'`,
    [schema],
  )
  if (!table) return 0
  const [meta] = await query(`SELECT version FROM ${quoteSchema(schema)}.meta`)
  const version = Number(meta?.version ?? 0)
  if (version > SCHEMA_VERSION) {
    throw storeError(
      'store_newer',
      `The PostgreSQL schema "${schema}" has version ${version}, this release of @holdpoint/server knows up to ${SCHEMA_VERSION}. A newer release migrated it: upgrade this process. Nothing was changed.`,
      { details: { schema, version, newest: SCHEMA_VERSION } },
    )
  }
  return version
}

/** Upgrades the schema to the newest version. Processes that start at the same time wait for each other. */
export async function migrateSchema(connections: Connections, schema: string): Promise<void> {
  if ((await schemaVersion((text, values) => connections.read(text, values), schema)) === SCHEMA_VERSION) return
  await connections.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', ['holdpoint', schema])
    const version = await schemaVersion(query, schema)
    if (version < SCHEMA_VERSION) await query(migrationSql(schema, version))
  })
}

/** Rejects a schema that is missing or older than this release needs, with the remedy. */
export async function checkSchema(connections: Connections, schema: string): Promise<void> {
  const version = await schemaVersion((text, values) => connections.read(text, values), schema)
  if (version === SCHEMA_VERSION) return
  throw storeError(
    'store_unavailable',
    `The PostgreSQL schema "${schema}" has version ${version}, this release needs ${SCHEMA_VERSION}. Run store.migrate(), or the output of postgresSchemaSql({ schema: '${schema}', from: ${version} }).`,
    { details: { schema, version, needed: SCHEMA_VERSION } },
  )
}
