import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPrivateFile, replacePrivateFile } from './private-files.ts'

test('a failed replacement leaves the old file and no temporary file with the secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hp-private-'))
  try {
    const path = join(folder, 'taken')
    mkdirSync(path)
    writeFileSync(join(path, 'inside'), 'x')
    expect(() => replacePrivateFile(path, 'secret')).toThrow()
    expect(readdirSync(folder)).toEqual(['taken'])
    replacePrivateFile(join(folder, 'free'), 'secret')
    expect(readPrivateFile(join(folder, 'free'))).toBe('secret')
    expect(readPrivateFile(join(folder, 'nothing'))).toBeNull()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
