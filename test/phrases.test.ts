import { expect, test } from 'vitest'
import { excess, findPhrases, shrink } from '../scripts/phrases.ts'
import { proseOfCode, proseOfMarkdown } from '../scripts/prose.ts'

const inCode = (source: string) => findPhrases(proseOfCode('a.ts', source)).map(({ line, phrase }) => [line, phrase])
const inMarkdown = (source: string) => findPhrases(proseOfMarkdown(source)).map(({ line, phrase }) => [line, phrase])

test('phrases are found in comments, over line ends, in strings and in templates, and nowhere else', () => {
  expect(inCode('let a = 1\n// The client is\n// told so.\n')).toEqual([[2, 'is told']])
  expect(inCode('/**\n * The stream goes\n * on.\n */\nexport const a = 1\n')).toEqual([[1, 'goes on']])
  expect(inCode("test('who comes back is heard', () => {})\nconst b = `it came back`\n")).toEqual([
    [1, 'is heard'],
    [1, 'comes back'],
    [2, 'came back'],
  ])
  expect(inCode("import { nobody } from './nobody.ts'\nconst somebody = nobody\n")).toEqual([])
})

test('phrases are found in paragraphs, over line ends, and not in code', () => {
  expect(inMarkdown('# Title\n\nThe server\ngoes\non. `nobody`\n\n```ts\nnobody()\n```\n- somebody\n')).toEqual([
    [3, 'goes on'],
    [10, 'somebody'],
  ])
  expect(inMarkdown('What `allow` refuses nobody is asked about.\n').map(([, phrase]) => phrase)).toEqual([
    'is asked about',
    'nobody',
    'What `…` refuses nobody is asked about.',
  ])
  expect(inMarkdown('What does it do? The user answers.\n')).toEqual([])
})

test('a file may have as many phrases as its baseline, and the baseline only shrinks', () => {
  const finding = { line: 1, phrase: 'goes on', instead: 'continue' }
  const found = new Map([
    ['new.ts', [finding]],
    ['old.ts', [finding, finding]],
    ['better.ts', [finding]],
  ])
  const baseline = { 'old.ts': 2, 'better.ts': 3, 'gone.ts': 1 }
  expect(excess(found, baseline)[0]).toBe('new.ts: 1 phrases to rewrite, the baseline is 0')
  expect(excess(found, baseline)).toHaveLength(2)
  expect(shrink(found, baseline)).toEqual({ 'better.ts': 1, 'old.ts': 2 })
})
