import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createVault } from './vault.ts'

const key = (fill: number) => new Uint8Array(32).fill(fill)
const ada = ['ada', 'slack']
const thrownBy = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test('a vault opens what it sealed, and the sealed text reveals nothing', () => {
  const vault = createVault([{ id: 'k1', key: key(1) }])
  const sealed = vault.seal('xoxb-secret', ada)
  expect(JSON.stringify(sealed)).not.toContain('xoxb')
  expect(sealed.keyId).toBe('k1')
  expect(vault.open(sealed, ada)).toBe('xoxb-secret')
})

test('a token that is moved to another user or integration does not open [B7.1]', () => {
  const vault = createVault([{ id: 'k1', key: key(1) }])
  const sealed = vault.seal('secret', ada)
  expect(() => vault.open(sealed, ['eve', 'slack'])).toThrow(expect.objectContaining({ code: 'vault_mismatch' }))
  expect(() => vault.open(sealed, ['ada', 'gmail'])).toThrow(expect.objectContaining({ code: 'vault_mismatch' }))
  expect(() => vault.open(sealed, ['ada,slack'])).toThrow(expect.objectContaining({ code: 'vault_mismatch' }))
})

test('broker 7: a sealed text with a changed byte does not open, and the error quotes nothing', () => {
  const vault = createVault([{ id: 'k1', key: key(1) }])
  const sealed = vault.seal('secret', ada)
  const data = `${sealed.data.startsWith('A') ? 'B' : 'A'}${sealed.data.slice(1)}`
  const error = thrownBy(() => vault.open({ ...sealed, data }, ada))
  expect(error).toMatchObject({ code: 'vault_mismatch' })
  expect(inspect(error, { depth: 9 })).not.toContain('secret"')
})

test('the first key seals, older ones open, and an unknown key is named [B7.2]', () => {
  const old = createVault([{ id: 'k1', key: key(1) }])
  const sealed = old.seal('secret', ada)
  const both = createVault([
    { id: 'k2', key: key(2) },
    { id: 'k1', key: key(1) },
  ])
  expect(both.open(sealed, ada)).toBe('secret')
  expect(both.outdated(sealed)).toBe(true)
  expect(both.seal('x', ada).keyId).toBe('k2')
  const fresh = createVault([{ id: 'k2', key: key(2) }])
  expect(() => fresh.open(sealed, ada)).toThrow(
    expect.objectContaining({ code: 'vault_key_unknown', details: { keyId: 'k1' } }),
  )
})

test('randomness can be injected, and a value sealed with the first key is not outdated', () => {
  const asked: number[] = []
  const vault = createVault([{ id: 'k1', key: key(1) }], (length) => {
    asked.push(length)
    return new Uint8Array(length).fill(9)
  })
  const sealed = vault.seal('x', ada)
  expect([asked, sealed.iv, vault.outdated(sealed)]).toEqual([[12], Buffer.alloc(12, 9).toString('base64'), false])
})

test('a sealed text with a shortened tag does not open', () => {
  const vault = createVault([{ id: 'k1', key: key(1) }])
  const sealed = vault.seal('', ada)
  for (const bytes of [15, 12, 4, 0]) {
    const data = Buffer.from(sealed.data, 'base64').subarray(0, bytes).toString('base64')
    expect(() => vault.open({ ...sealed, data }, ada)).toThrow(expect.objectContaining({ code: 'vault_mismatch' }))
  }
})

test('two seals of one text differ', () => {
  const vault = createVault([{ id: 'k1', key: key(1) }])
  expect(vault.seal('x', ada).data).not.toBe(vault.seal('x', ada).data)
})

test('keys are accepted as bytes, base64, base64url and hex, and others are rejected with a code', () => {
  const bytes = Uint8Array.from({ length: 32 }, (_, i) => (i * 37 + 251) % 256)
  const forms = [bytes, ...(['base64', 'base64url', 'hex'] as const).map((form) => Buffer.from(bytes).toString(form))]
  const sealed = createVault([{ id: 'k', key: bytes }]).seal('x', ada)
  for (const form of forms) expect(createVault([{ id: 'k', key: form }]).open(sealed, ada)).toBe('x')
  for (const wrong of ['', 'short', new Uint8Array(16), 'not base64 !!']) {
    expect(() => createVault([{ id: 'k', key: wrong }])).toThrow(/openssl rand/)
  }
  expect(() => createVault([])).toThrow(/no key/)
  const twice = { id: 'k', key: bytes }
  expect(() => createVault([twice, twice])).toThrow(/two keys/)
  expect(() => createVault([{ id: '', key: bytes }])).toThrow(/is empty/)
})

test('a vault shows no key when it is inspected or serialized as JSON', () => {
  const vault = createVault([{ id: 'k1', key: 'ab'.repeat(32) }])
  expect(inspect(vault, { depth: 9, showHidden: true })).not.toContain('abab')
  expect(JSON.stringify(vault)).toBe('{}')
})
