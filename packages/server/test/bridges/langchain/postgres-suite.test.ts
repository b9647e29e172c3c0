import { randomUUID } from 'node:crypto'
import { bridgeSuite } from '@holdpoint/conformance/bridge'
import { describeWith, postgresUrl } from '@holdpoint/conformance/services'
import pg from 'pg'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { driver, SCHEMA } from './postgres-driver.ts'

const schemaOf = (name: string) => `${name}_${randomUUID().replaceAll('-', '_').slice(0, 18)}`

describeWith('LangChain on Postgres', await postgresUrl(), (url) => {
  const checkpoints = schemaOf('checkpoints')
  const drop = async (schema: string) => {
    const client = new pg.Client(url)
    await client.connect()
    await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await client.end()
  }
  beforeAll(() => {
    process.env[SCHEMA] = checkpoints
  })
  afterAll(async () => {
    delete process.env[SCHEMA]
    await drop(checkpoints)
  })

  bridgeSuite('LangChain with the Postgres checkpointer and the Postgres store', driver, () => {
    const schema = schemaOf('bridge')
    onTestFinished(() => drop(schema))
    return { kind: 'postgres', url, schema }
  })
})
