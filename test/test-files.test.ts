import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sortTests } from '../scripts/test-files.ts'

test('tests that start processes, use services or read a build run in isolation; all others share workers', () => {
  const root = mkdtempSync(join(tmpdir(), 'holdpoint-sorted-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const files = {
    'test/plain.test.ts': "import '../packages/core/src/node/spawns.ts'",
    'test/typed.test.ts': "import type { A } from './support/spawns.ts'",
    'test/spawns.test.ts': "import { spawn } from 'node:child_process'",
    'test/by-helper.test.ts': "import { start } from './support/deep.ts'",
    'test/service.test.ts': "import { has } from '@holdpoint/conformance/services'",
    'test/built.test.ts': `read('${'dist'}/index.js')`,
    'test/page.browser.test.ts': '',
    'test/support/deep.ts': "export { start } from './spawns.ts'",
    'test/support/spawns.ts': "import 'node:child_process'",
    'packages/core/src/node/spawns.ts': "import 'node:child_process'",
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const { inProcess, system } = sortTests(['test/**/*.test.ts'], root)
  expect(inProcess).toEqual(['test/plain.test.ts', 'test/typed.test.ts'])
  expect(system).toEqual([
    'test/built.test.ts',
    'test/by-helper.test.ts',
    'test/service.test.ts',
    'test/spawns.test.ts',
  ])
})
