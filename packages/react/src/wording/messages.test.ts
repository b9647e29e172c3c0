import { pagesInEnglish, say } from '@holdpoint/core/internal'
import { english, type Messages } from '@holdpoint/core/messages'
import { describe, expect, test } from 'vitest'
import { arabic } from '../locales/ar.ts'
import { german } from '../locales/de.ts'
import { spanish } from '../locales/es.ts'
import { french } from '../locales/fr.ts'
import { japanese } from '../locales/ja.ts'
import { simplifiedChinese } from '../locales/zh.ts'
import { nameText } from './escape.ts'

const translations = { german, arabic, spanish, french, japanese, simplifiedChinese }
const locales = { english, ...translations }

/** Parameters that every sentence of that key understands. */
const params: Record<string, unknown> = {
  count: 3,
  requester: 'R',
  tool: 'T',
  label: 'L',
  accepted: 1,
  total: 2,
  index: 1,
  path: 'P',
  name: 'N',
  host: 'H',
  connected: 1,
  edited: false,
  scope: 'always',
  what: 'WHAT',
  time: 'TIME',
  text: 'TEXT',
  answer: 'ANSWER',
  deny: 'DENY',
  added: 3,
  removed: 1,
  min: 2,
  max: 4,
  reason: 'size',
  limit: '1 MB',
  expected: 'text',
  mark: 'MARK',
  number: '3',
  digits: 2,
  currency: 'EUR',
  zone: 'ZONE',
  chat: 'CHAT',
  user: 'USER',
  scopes: 'SCOPES',
  choice: 'CHOICE',
}

function everySentence(messages: Messages): Record<string, string> {
  const { problems, pages = pagesInEnglish, ...rest } = messages
  const flat = {
    ...rest,
    ...Object.fromEntries(Object.entries(pages).map(([key, value]) => [`pages.${key}`, value])),
    ...Object.fromEntries(Object.entries(problems).map(([key, value]) => [`problems.${key}`, value])),
  }
  return Object.fromEntries(
    Object.entries(flat).map(([key, sentence]) => [key, say(sentence as Parameters<typeof say>[0], params)]),
  )
}

describe.each(Object.entries(locales))('%s', (_, messages) => {
  test('has every sentence, without empty ones or missing values', () => {
    for (const [key, text] of Object.entries(everySentence(messages))) {
      expect(text, key).not.toMatch(/undefined|NaN|\[object/)
      expect(text.trim(), key).not.toBe('')
    }
  })

  test('has the same keys as English', () => {
    expect(Object.keys(everySentence(messages)).sort()).toEqual(Object.keys(everySentence(english)).sort())
  })

  test('contains every name that is passed in', () => {
    const ada = nameText('Ada')
    expect(say(messages.theyAnswered, { name: ada })).toContain(ada)
    expect(say(messages.connect, { name: ada })).toContain(ada)
    expect(say(messages.byline, { requester: ada, tool: 'x' })).toContain(ada)
  })
})

/** Sentences that are a frame for other words, or a word that the language shares with English. */
const alike: Record<string, string[]> = {
  german: ['pages.groupChat'],
  spanish: ['no', 'pages.groupChat'],
  french: ['pages.groupAgent', 'pages.unknownAgent'],
}

test.each(Object.entries(translations))('differs from English: %s', (name, messages) => {
  const theirs = everySentence(english)
  const same = Object.entries(everySentence(messages)).filter(([key, text]) => text === theirs[key])
  const expected = ['byline', 'at', 'titleCount', ...(alike[name] ?? [])]
  expect(same.map(([key]) => key).filter((key) => !expected.includes(key))).toEqual([])
})

test('plural forms follow the rules of the language [C9.2]', () => {
  const arabicCounts = [1, 2, 3, 11].map((count) => say(arabic.announceSeveral, { count }))
  expect(new Set(arabicCounts).size).toBe(4)
  expect(say(english.announceSeveral, { count: 1 })).toBe('1 question is waiting')
  expect(say(german.announceSeveral, { count: 3 })).toBe('3 Fragen warten')
})

test('a missing translation does not compile [C9.1]', () => {
  const { stopTask: _, ...incomplete } = english
  // @ts-expect-error a translation without `stopTask` is not a translation
  const messages: Messages = incomplete
  expect(messages).toBeDefined()
})
