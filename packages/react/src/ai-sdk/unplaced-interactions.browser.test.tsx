import type { Interaction } from '@holdpoint/core'
import type { UIMessage } from 'ai'
import { expect, test } from 'vitest'
import { approval, form } from '../testing/interactions.ts'
import { show } from '../testing/render.tsx'
import { UnplacedInteractions } from './unplaced-interactions.tsx'

type Part = UIMessage['parts'][number]

const toolPart = (toolCallId: string, more: object = {}) =>
  ({ type: 'tool-deleteFiles', toolCallId, state: 'input-available', input: {}, ...more }) as Part
const dataPart = (interactionId: string, toolCallId: string, runId: string) =>
  ({ type: 'data-holdpoint', data: { interactionId, toolCallId, runId } }) as Part
const message = (...parts: Part[]): UIMessage => ({ id: 'm1', role: 'assistant', parts })

/** The prompts on the cards below the messages, in order. */
async function unplaced(messages: UIMessage[], ...interactions: Interaction[]): Promise<string[]> {
  await show(<UnplacedInteractions messages={messages} />, { interactions })
  return [...document.querySelectorAll('[data-slot="prompt"]')].map((prompt) => prompt.textContent ?? '')
}

const first = approval({ request: { prompt: 'First?' } })
const second = form({ interactionId: 'q2', toolCallId: 'call-2', request: { prompt: 'Second?' } })

test('each open question that no message shows has a card, oldest first', async () => {
  expect(await unplaced([], first, second)).toEqual(['First?', 'Second?'])
})

test('a question whose tool call is in a message has no second card', async () => {
  expect(await unplaced([message(toolPart('call-1'))], first, second)).toEqual(['Second?'])
})

test('a question that a data part names has no second card', async () => {
  expect(await unplaced([message(dataPart('q2', 'call-2', 'run-1'))], first, second)).toEqual(['First?'])
})

test('a part of an earlier turn with the same tool call id does not hide the question of this turn', async () => {
  const earlier = message(toolPart('call-1'), dataPart('q0', 'call-1', 'run-0'))
  expect(await unplaced([earlier], first)).toEqual(['First?'])
})

test('a question that has ended has no card', async () => {
  const ended = approval({ request: { prompt: 'Ended?' }, status: 'superseded' })
  expect(await unplaced([], ended, second)).toEqual(['Second?'])
})
