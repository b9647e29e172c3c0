import { describeWith, postgresUrl } from '@holdpoint/conformance/services'
import { storeSuite } from '@holdpoint/conformance/store'
import { benchesOn } from '../../../test/store/one-schema.ts'
import { postgresStore } from './index.ts'

describeWith('PostgreSQL', await postgresUrl(), (connectionString) => {
  const make = benchesOn(connectionString, (schema, clockOffset) =>
    postgresStore({ connectionString, schema, clockOffset, pollMs: 50, max: 4 }),
  )
  storeSuite('postgres', make, { modelRuns: 15 })
})
