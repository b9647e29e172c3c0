import { postgresStore } from '@holdpoint/server/postgres'
import { redisStore } from '@holdpoint/server/redis'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Store } from '@holdpoint/server/store'
import type { StoreSetup } from './commands.ts'

export function openStore(setup: StoreSetup): Store {
  switch (setup.kind) {
    case 'sqlite':
      return sqliteStore({ path: setup.path })
    case 'postgres':
      return postgresStore({ connectionString: setup.url, schema: setup.schema })
    case 'redis':
      return redisStore({ url: setup.url, prefix: setup.prefix })
  }
}
