import { join } from 'node:path'
import { postgresStore } from '@holdpoint/server/postgres'
import { redisStore } from '@holdpoint/server/redis'
import { sqliteStore } from '@holdpoint/server/sqlite'
import type { Store } from '@holdpoint/server/store'
import { home } from './keys.ts'
import { once } from './once.ts'

/** Where questions and answers are kept: a file, unless HOLDPOINT_STORE says `postgres` or `redis`. */
export const store = once('store', (): Store => {
  const { HOLDPOINT_STORE, DATABASE_URL, REDIS_URL } = process.env
  switch (HOLDPOINT_STORE) {
    case 'postgres':
      return postgresStore({ ...(DATABASE_URL && { connectionString: DATABASE_URL }) })
    case 'redis':
      return redisStore({ ...(REDIS_URL && { url: REDIS_URL }) })
    default:
      return sqliteStore({ path: join(home, 'data.db') })
  }
})
