import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { memoryStore } from '../memory/index.ts'
import { postgresStore } from '../postgres/index.ts'
import { redisStore } from '../redis/index.ts'
import { sqliteStore } from '../sqlite/index.ts'
import { placeOf } from './address.ts'

test('an address identifies the location of the rows, independent of credentials and of the order of nodes', () => {
  expect(placeOf(['postgres://ada:secret@db:5432/app?sslmode=require'], 'holdpoint')).toBe('db:5432/app holdpoint')
  expect(placeOf(['redis://b:1', 'redis://a:1'], 'hp')).toBe(placeOf(['redis://a:1', 'redis://b:1'], 'hp'))
})

test('stores of the same rows have one address, others have different ones, and some have none', () => {
  const postgres = (schema: string) => postgresStore({ connectionString: 'postgres://db/app', schema }).place
  const redis = (url: string) => redisStore({ url }).place
  expect(sqliteStore({ path: 'a/../b.db' }).place).toBe(resolve('b.db'))
  expect(postgres('one')).toBe(postgres('one'))
  expect(postgres('one')).not.toBe(postgres('two'))
  expect(redis('redis://cache/1')).not.toBe(redis('redis://cache/2'))
  expect(postgresStore().place).toBe(postgresStore().place)
  expect([
    sqliteStore({ path: ':memory:' }).place,
    memoryStore().place,
    postgresStore({ connectionString: 'host=db dbname=app' }).place,
    postgresStore({ pool: {} as never }).place,
    redisStore({ connect: () => ({}) as never }).place,
  ]).toEqual([undefined, undefined, undefined, undefined, undefined])
})
