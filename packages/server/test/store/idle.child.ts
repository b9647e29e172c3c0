import { sqliteStore } from '@holdpoint/server/sqlite'

// A script that forgot close(): it must end all the same.
const store = sqliteStore({ path: process.argv[2] ?? '', pollMs: 5 })
await store.open()
store.subscribe(() => {})
await store.commit({ partition: 'p', events: ['1'] })
