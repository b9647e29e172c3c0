import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeWith, has, postgresUrl } from '@holdpoint/conformance/services'
import { type PostgresStore, postgresSchemaSql, postgresStore } from '@holdpoint/server/postgres'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { folder } from './places.ts'
import { place } from './postgres-place.ts'

describeWith('the PostgreSQL schema', await postgresUrl(), (url) => {
  test('is created once by ten processes that start at once', async () => {
    const { open } = place(url)
    const stores = await Promise.all(Array.from({ length: 10 }, () => open({ max: 1 })))
    for (const store of stores) await store.commit({ partition: 'p', events: ['1'] })
    expect((await stores[0]?.readLog('p', { from: 1, limit: 1 }))?.head).toBe(10)
  })

  test('is complete in the printed SQL', async () => {
    const { schema, open, client } = place(url)
    await expect(open({ migrate: false })).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('postgresSchemaSql'),
    })
    await (await client()).query(postgresSchemaSql({ schema }))
    const store = await open({ migrate: false })
    expect(await store.commit({ partition: 'p', events: ['1'] })).toMatchObject({ ok: true })
  })

  test('is the same from the printed file as from migrate()', async (context) => {
    const psql = has('psql')
    if ('skip' in psql) return context.skip(psql.skip)
    const [migrated, printed] = [place(url), place(url)]
    await migrated.open()
    // As the README says it.
    const program = `import { postgresSchemaSql } from '@holdpoint/server/postgres'
      process.stdout.write(postgresSchemaSql({ schema: '${printed.schema}' }))`
    const args = ['--conditions=holdpoint-source', '--input-type=module', '-e', program]
    const sql = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' })
    const file = join(folder(), 'holdpoint.sql')
    writeFileSync(file, sql)
    execFileSync(psql.value, [url, '-v', 'ON_ERROR_STOP=1', '-q', '-f', file], { stdio: 'pipe' })
    const admin = await migrated.client()
    const made = await described(admin, migrated.schema)
    expect(made.length).toBeGreaterThan(40)
    expect(await described(admin, printed.schema)).toEqual(made)
  })

  test('can be created by migrate() as a separate step', async () => {
    const { schema, open } = place(url)
    const step = postgresStore({ connectionString: url, schema, migrate: false })
    await step.migrate()
    await step.close()
    expect(await (await open({ migrate: false })).list('p', 'k')).toEqual([])
  })

  test('is rejected with a code and not changed if it is newer', async () => {
    const { schema, open, client } = place(url)
    await open()
    const other = await client()
    await other.query(`UPDATE ${schema}.meta SET version = 99`)
    await expect(open()).rejects.toMatchObject({ code: 'store_newer', details: { version: 99 } })
    expect((await other.query(`SELECT version FROM ${schema}.meta`)).rows).toEqual([{ version: 99 }])
  })

  test('is named in the error with the remedy if it was dropped under a running store', async () => {
    const { schema, open, client } = place(url)
    const store = await open()
    await (await client()).query(`DROP SCHEMA ${schema} CASCADE`)
    const missing = { code: 'store_unavailable', message: expect.stringContaining('migrate()') }
    await expect(store.list('p', 'k')).rejects.toMatchObject(missing)
    await expect(store.commit({ partition: 'p', events: ['1'] })).rejects.toMatchObject(missing)
  })

  test('is independent of another schema in the same database', async () => {
    const [a, b] = await Promise.all([place(url).open(), place(url).open()])
    await a.commit({ partition: 'p', puts: [{ kind: 'k', id: 'a', data: '1' }] })
    expect(await b.list('p', 'k')).toEqual([])
  })

  test.each(['', 'A', '1a', 'a-b', 'a"b', 'a'.repeat(41)])('cannot have the name %j', (schema) => {
    expect(() => postgresStore({ connectionString: url, schema })).toThrow('schema name')
  })

  test.each(['empty tables', 'full tables'])('has an index for every query, on %s', async (state) => {
    const { schema, open, client } = place(url)
    const store = await open()
    if (state === 'full tables') await fill(store)
    const other = await client()
    if (state === 'full tables')
      await other.query(`ANALYZE ${schema}.rows, ${schema}.events, ${schema}.parts, ${schema}.tags`)
    const plans: string[] = []
    other.on('notice', (notice) => plans.push(notice.message ?? ''))
    await other.query(
      `LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
       SET auto_explain.log_level = notice; SET client_min_messages = notice`,
    )
    const calls = {
      commit: `commit_1('{p1}', '{e}', '{1}', '{1,1}', '{k1,k1}', '{1/1,b}', '{NULL,0}',
        '{1}', '{k1}', '{b}', '{1}', '{7}', '{"{u}"}', '{1}', '{1}', '{k1}', '{1/1}', '{1}', '{1}', '{1}', 'me', 1000)`,
      load: `load_1('{p1,p2}', '{k1,k2}', '{1/1,2/2}')`,
      list: `list_1('p1', 'k1', '', 100)`,
      byTag: `by_tag_1('t1', 0, 100)`,
      due: `due_1('k1', 0, 100)`,
      log: `log_1('p1', 900, 100)`,
      snapshot: `snapshot_1('p1', '{k1,k2}', 100)`,
      changes: `changes_1(0, 'me')`,
    }
    const { rows: functions } = await other.query(
      'SELECT proname FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace WHERE nspname = $1',
      [schema],
    )
    const named = Object.values(calls).map((call) => call.split('(')[0])
    expect(named.sort()).toEqual(functions.map(({ proname }) => proname).sort())
    for (const [name, call] of Object.entries(calls)) {
      plans.length = 0
      await other.query(`SELECT * FROM ${schema}.${call}`)
      // All that ran inside the function; the call itself is a scan of the function.
      const inside = plans.filter((plan) => !plan.includes(`Function Scan on ${name}`) && plan.includes(schema))
      expect({ name, statements: inside.length > 0 }).toEqual({ name, statements: true })
      const scans = inside.flatMap((plan) => plan.match(/Seq Scan on \w+|Hash Join|Merge Join/g) ?? [])
      expect({ name, scans }).toEqual({ name, scans: [] })
    }
    expect(await store.list('p1', 'k1', { after: 'a' })).toMatchObject([{ id: 'b' }])
  })
})

async function fill(store: PostgresStore): Promise<void> {
  for (let n = 0; n < 8; n++) {
    const puts = Array.from({ length: 1_000 }, (_, i) => {
      return { kind: `k${i % 3}`, id: `${n}/${i}`, data: '1', due: i, tags: [`t${i % 50}`] }
    })
    await store.commit({ partition: `p${n}`, puts, events: Array.from({ length: 1_000 }, () => '1') })
  }
  await Promise.all(Array.from({ length: 2_000 }, (_, n) => store.commit({ partition: `more${n}`, events: ['1'] })))
}

/** All that makes up a schema, a line each, without its name. */
async function described(client: pg.Client, schema: string): Promise<string[]> {
  const { rows } = await client.query(
    `WITH mine AS (SELECT oid FROM pg_namespace WHERE nspname = $1)
     SELECT 'column ' || row_to_json(found)::text AS line FROM (
       SELECT relname, relkind, relpersistence, reloptions, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
         attidentity, attcollation, pg_get_expr(adbin, adrelid)
       FROM pg_class JOIN mine ON relnamespace = mine.oid JOIN pg_attribute ON attrelid = pg_class.oid
       LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE attnum > 0 AND NOT attisdropped
     ) AS found
     UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = $1
     UNION ALL SELECT 'constraint ' || conrelid::regclass || conname || pg_get_constraintdef(pg_constraint.oid)
       FROM pg_constraint JOIN mine ON connamespace = mine.oid
     UNION ALL SELECT 'function ' || pg_get_functiondef(pg_proc.oid) FROM pg_proc JOIN mine ON pronamespace = mine.oid
     UNION ALL SELECT 'grant ' || coalesce(nspacl::text, '-') FROM pg_namespace WHERE nspname = $1`,
    [schema],
  )
  const { rows: versions } = await client.query(`SELECT version FROM ${schema}.meta`)
  const lines = rows.map(({ line }) => String(line).replaceAll(schema, 'the_schema'))
  return [...lines.sort(), `version ${JSON.stringify(versions)}`]
}
