import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeSuite } from '@holdpoint/conformance/store'
import { sqliteStore } from './index.ts'

storeSuite('sqlite', async ({ offset }) => {
  const folder = await mkdtemp(join(tmpdir(), 'holdpoint-'))
  const make = () => sqliteStore({ path: join(folder, 'data.db'), now: () => Date.now() + offset() })
  return { store: make(), another: async () => make(), dispose: () => rm(folder, { recursive: true }) }
})
