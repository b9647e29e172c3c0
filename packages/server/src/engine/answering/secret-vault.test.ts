import { describe, expect, test } from 'vitest'
import { systemEnvironment } from '../../base/environment.ts'
import { SecretVault } from './secret-vault.ts'

const environment = systemEnvironment()

describe('the vault', () => {
  const key = (id: string, fill: number) => ({ id, key: new Uint8Array(32).fill(fill) })
  test('opens a sealed secret only in its own place and unchanged', () => {
    const vault = new SecretVault(environment, [key('1', 1)])
    const { id, row } = vault.seal('s/a', 'täst')
    expect(vault.open('s/a', id, row)).toBe('täst')
    expect(() => vault.open('s/b', id, row)).toThrow()
    expect(() => vault.open('s/a', 'other', row)).toThrow()
    const touched = Buffer.from(row.data, 'base64')
    touched[0] = (touched[0] ?? 0) ^ 1
    expect(() => vault.open('s/a', id, { ...row, data: touched.toString('base64') })).toThrow()
    expect(vault.seal('s/a', 'täst').row.data).not.toBe(row.data)
  })
})
