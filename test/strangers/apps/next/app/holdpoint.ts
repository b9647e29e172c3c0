import { createHoldpoint } from '@holdpoint/server'
import { sqliteStore } from '@holdpoint/server/sqlite'

export const holdpoint = createHoldpoint({
  store: sqliteStore({ path: '.holdpoint/data.db' }),
  authenticate: () => ({ userId: 'ada' }),
})
