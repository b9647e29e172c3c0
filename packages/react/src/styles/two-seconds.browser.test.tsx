import type { Interaction } from '@holdpoint/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { InteractionView } from '../interaction-view/interaction-view.tsx'
import { firstTexts } from '../testing/checks/first-texts.ts'
import { approval, connect, diff, form } from '../testing/interactions.ts'
import { part, show } from '../testing/render.tsx'
import { everyState } from '../testing/states.ts'

/**
 * Within two seconds a person reads some three texts: the question, what it is about, and what follows. For a form what
 * follows is what its fields ask; for accounts it is why they are needed.
 */
const facts = [{ label: 'Cannot be undone', tone: 'danger' as const }]
const cards: readonly [string, Interaction, readonly string[]][] = [
  ['an approval', approval({ request: { risk: 'medium', facts } }), ['prompt', 'readable', 'facts']],
  [
    'an approval of a diff',
    approval({ request: { args: undefined, diff, risk: 'medium', facts } }),
    ['prompt', 'diff', 'facts'],
  ],
  ['a form', form(), ['prompt', 'fields', 'title']],
  ['a card for one account', connect({ request: { integrations: ['slack'] } }), ['prompt', 'about', 'list']],
  ['a card for several accounts', connect(), ['prompt', 'about', 'list']],
]
const waiting = [
  ...['Pending', 'Submitting', 'NotSent', 'ReadOnly', 'MayNotAnswer', 'Disconnected', 'SignedOut', 'Deferred'],
  ...['TimeRunningOut', 'Reprompted'],
]
const over = ['Answered', 'AnsweredElsewhere', 'Expired', 'Cancelled', 'Superseded', 'ToolFailed']

afterAll(() => page.viewport(414, 896))
/** As much of a text as is read in two seconds. */
const shorten = (text: string) => {
  const plain = text.replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, ' ')
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain
}

describe.each(cards)('%s', (name, question, expected) => {
  const states = everyState(question, { action: question.kind === 'input' ? 'submit' : 'approve' })
  const both = (names: readonly string[]) =>
    names.flatMap(
      (state) =>
        [
          [state, 600],
          [state, 320],
        ] as const,
    )
  const found = new Map<string, ReturnType<typeof firstTexts>>()
  beforeAll(async () => {
    for (const [state, width] of both([...waiting, 'ApprovedStillRunning', ...over])) {
      await page.viewport(width, 900)
      await show(<InteractionView {...states[state]!} interaction={states[state]!.interaction!} />)
      found.set(`${state} ${width}`, firstTexts(part('card'), 3))
      await cleanup()
    }
  }, 120_000)
  const orderOf = (state: string, width: number) => found.get(`${state} ${width}`)!.map((one) => one.part)

  test('the first three texts of every state equal the recorded list', async () => {
    const recorded = new Map<string, string[]>()
    for (const [name, first] of found) {
      const texts = first.map((one, index) => `  ${index + 1}. ${one.part}: ${shorten(one.text)}`)
      const key = texts.join('\n')
      recorded.set(key, [...(recorded.get(key) ?? []), name])
    }
    const list = [...recorded].map(([texts, states]) => `${states.join(', ')}\n${texts}\n`).join('\n')
    await expect(list).toMatchFileSnapshot(`./__first-texts__/${name.replaceAll(' ', '-')}.txt`)
  })

  test.each(both(waiting))('%s at %i pixels: the first texts have the expected order', (state, width) => {
    expect(orderOf(state, width)).toEqual(expected)
  })

  test.each(both(over))('%s at %i pixels: the first text is the outcome', (state, width) => {
    expect(orderOf(state, width)[0]).toBe('outcome')
  })
})
