import { expect, test } from 'vitest'
import { findPhrases } from '../scripts/phrases.ts'
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
  expect(inMarkdown('# Title\n\nThe server\ngoes\non. `nobody`\n\n```ts\nnobody()\n```\n- somebody waits\n')).toEqual([
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

test('a comment that begins without a subject is found', () => {
  expect(inCode('/** What a button carries. */\nexport const a = 1\n')).toEqual([[1, ' What a button carries.']])
})

test('a string of one word is an identifier', () => {
  expect(inCode("const waiter = 'nobody'\n")).toEqual([])
  expect(inCode("const title = 'nobody waits'\n")).toEqual([[1, 'nobody']])
})

test.each([
  ['It is not there any more.', 'any more'],
  ['It asks anew.', 'anew'],
  ['It waits for ever.', 'for ever'],
  ['It returns what became of it.', 'what became of'],
  ['Everyone may answer.', 'Everyone'],
  ['Its behaviour changes.', 'behaviour'],
  ['It reauthorises streams.', 'reauthorises'],
  ['A grey card.', 'grey'],
  ['A late answer arrives.', 'late answer'],
  ['A verdict about it.', 'verdict'],
  ['It reads the call id.', 'call id'],
  ['It takes the grant away.', 'the grant'],
  ['It hands over the lease.', 'hands over'],
  ['It sends a reply.', 'reply'],
])('in the sentence “%s” the phrase “%s” is found', (sentence, phrase) => {
  expect(inMarkdown(`${sentence}\n`)).toEqual([[1, phrase]])
})

test.each([
  'It reads the tool call id.',
  'It raises otherwise, as promised.',
  'Grants the user access at the service.',
  'It grants access.',
  'It writes @everyone.',
  '[a link](./grants.test.ts)',
])('in the sentence “%s” no phrase is found', (sentence) => {
  expect(inMarkdown(`${sentence}\n`)).toEqual([])
})
