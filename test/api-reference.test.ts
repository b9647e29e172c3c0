import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './support/graph.ts'

test('the API reference writes out what comes from a schema: nobody learns which fields there are from z.infer', () => {
  const pages = globSync('docs/api/*.md', { cwd: ROOT })
  expect(pages.length).toBeGreaterThan(30)
  for (const page of pages) {
    expect(readFileSync(join(ROOT, page), 'utf8'), page).not.toMatch(/infer<typeof/)
  }
  const forms = readFileSync(join(ROOT, 'docs/api/core-forms.md'), 'utf8')
  expect(forms).toMatch(/type: "multiselect"\n\s+minItems\?: number/)
})
