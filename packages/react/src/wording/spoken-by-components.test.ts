import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..')
/** The devtools and the pages of the Storybook are for developers and in English. */
const components = globSync('**/*.tsx', { cwd: src }).filter(
  (file) => !/test|stories|testing|examples|devtools|showcase/.test(file),
)
/** Attributes that are read out or shown. */
const READ = /^(?:aria-label|aria-description|aria-roledescription|title|alt|placeholder)$/

test('a component contains no text of its own: all texts come from messages', () => {
  const words: string[] = []
  for (const file of components) {
    const source = ts.createSourceFile(file, readFileSync(join(src, file), 'utf8'), ts.ScriptTarget.Latest, true)
    const look = (node: ts.Node): void => {
      const text = ts.isJsxText(node) ? node.text : ''
      const attribute = ts.isJsxAttribute(node) && READ.test(node.name.getText()) ? node.initializer : undefined
      const value = attribute && ts.isStringLiteral(attribute) ? attribute.text : ''
      if (/\p{L}/u.test(text + value)) words.push(`${file}: ${(text + value).trim()}`)
      ts.forEachChild(node, look)
    }
    look(source)
  }
  expect(components.length).toBeGreaterThan(30)
  expect(words).toEqual([])
})
