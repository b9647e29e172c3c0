import { beforeEach, expect, test } from 'vitest'
import { createWorld, minutes, VAULT_KEY, type World } from '../../test/accounts/support/world.ts'
import { type Confirmations, createConfirmations } from './confirmations.ts'
import { createVault } from './vault.ts'

let world: World
let confirmations: Confirmations
const ada = { userId: 'ada' }
const action = { prompt: 'Delete all tickets', context: { project: 'PROJ' } }

beforeEach(() => {
  world = createWorld()
  confirmations = createConfirmations({ ...world, vault: createVault([VAULT_KEY]) })
})

test('a token returns the action that it was issued for', async () => {
  const token = await confirmations.create(ada, action)
  expect(await confirmations.take(ada, token)).toEqual(action)
})

test('broker 8: a confirmation token has 256 bits [B8.3]', async () => {
  const token = await confirmations.create(ada, action)
  expect(Buffer.from(token.replace('confirm_', ''), 'base64url')).toHaveLength(32)
})

test('of 50 concurrent uses of a token one succeeds [T24.1]', async () => {
  const token = await confirmations.create(ada, action)
  const tries = await Promise.allSettled(Array.from({ length: 50 }, () => confirmations.take(ada, token)))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(confirmations.take(ada, token)).rejects.toMatchObject({ code: 'confirmation_used' })
})

test('a token of another user is rejected like an unknown one, and stays valid [T24.2]', async () => {
  const token = await confirmations.create(ada, action)
  const theirs = await confirmations.take({ userId: 'eve' }, token).catch((error: Error) => error)
  const unknown = await confirmations.take(ada, 'confirm_x').catch((error: Error) => error)
  expect(theirs).toMatchObject({ code: 'confirmation_invalid', message: (unknown as Error).message })
  await expect(confirmations.take({ userId: 'ada', tenant: 'x' }, token)).rejects.toMatchObject({
    code: 'confirmation_invalid',
  })
  await expect(confirmations.take(ada, token)).resolves.toEqual(action)
})

test('a token for another action is rejected, and stays valid [T24.3]', async () => {
  const token = await confirmations.create(ada, action)
  const other = { ...action, context: { project: 'OTHER' } }
  await expect(confirmations.take(ada, token, other)).rejects.toMatchObject({ code: 'confirmation_mismatch' })
  const sameInOtherOrder = { context: { project: 'PROJ' }, prompt: 'Delete all tickets' }
  await expect(confirmations.take(ada, token, sameInOtherOrder)).resolves.toEqual(action)
})

test('a confirmation token expires after five minutes by default', async () => {
  const late = await confirmations.create(ada, action)
  world.advance(minutes(5))
  await expect(confirmations.take(ada, late)).rejects.toMatchObject({ code: 'confirmation_expired' })
})

test('the lifetime of a confirmation token can be set, and its row is removed after it', async () => {
  const brief = createConfirmations({ ...world, vault: createVault([VAULT_KEY]), lifetimeMs: minutes(10) })
  const [used, late] = [await brief.create(ada, action), await brief.create(ada, action)]
  const dues = () =>
    world
      .dump()
      .split('\n')
      .map((line) => JSON.parse(line).puts[0])
  for (const { due, data } of dues()) expect(due).toBe(JSON.parse(data).until)
  world.advance(minutes(9))
  await expect(brief.take(ada, used)).resolves.toEqual(action)
  expect(dues().at(-1).due).toBe(dues()[0].due)
  world.advance(minutes(1))
  await expect(brief.take(ada, late)).rejects.toMatchObject({ code: 'confirmation_expired' })
  await expect(brief.take(ada, used)).rejects.toMatchObject({ code: 'confirmation_used' })
})

test('threat 20: neither token nor action is in the store', async () => {
  const token = await confirmations.create(ada, action)
  expect(world.dump()).not.toContain(token)
  expect(world.dump()).not.toContain('tickets')
})

test('a token whose use was committed without an acknowledgment still succeeds', async () => {
  const token = await confirmations.create(ada, action)
  let lost = true
  const store = {
    ...world.store,
    async commit(item: Parameters<World['store']['commit']>[0]) {
      const result = await world.store.commit(item)
      if (!lost) return result
      lost = false
      throw Object.assign(new Error('gone'), { code: 'store_unavailable', details: { applied: 'unknown' } })
    },
  }
  const flaky = createConfirmations({ ...world, store, vault: createVault([VAULT_KEY]) })
  await expect(flaky.take(ada, token)).resolves.toEqual(action)
})
