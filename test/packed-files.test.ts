import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test.each(['core', 'react', 'server'])('the tarball of @holdpoint/%s leaves out the stamp of the build', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-pack-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(import.meta.dirname, '../packages', name, 'package.json'), join(folder, 'package.json'))
  mkdirSync(join(folder, 'dist'))
  for (const file of ['.built', 'index.js']) writeFileSync(join(folder, 'dist', file), '')
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(packed).toContain('"dist/index.js"')
  expect(packed).not.toContain('.built')
})
