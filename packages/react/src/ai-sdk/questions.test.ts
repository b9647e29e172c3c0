import { useChat } from '@ai-sdk/react'
import type { Interaction, SessionState } from '@holdpoint/core'
import { initialState } from '@holdpoint/core/machine'
import type { ToolSet, UIMessage } from 'ai'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { approval, connect, form } from '../testing/interactions.ts'
import { decisionOf } from './decision.ts'
import { HoldpointPart, type HoldpointPartProps } from './holdpoint-part.tsx'
import { lastStepOf, readyToResume } from './last-step.ts'
import { answerOf } from './own-buttons.ts'
import { interactionOf, isToolPart, questionOf, runOf } from './questions-of-parts.ts'
import { useHoldpointChat } from './use-holdpoint-chat.ts'

type Part = UIMessage['parts'][number]

const descriptor = { interactionId: 'q1', runId: 'run-1', toolCallId: 'call-1' }
const waiting = (more: object = {}): Part =>
  ({
    ...{ type: 'tool-deleteFiles', toolCallId: 'call-1', state: 'approval-requested', input: {} },
    approval: { id: 'a1', descriptor },
    ...more,
  }) as Part
const answered = (more: object = {}) =>
  waiting({ state: 'approval-responded', approval: { id: 'a1', approved: true, descriptor }, ...more })
const message = (...parts: Part[]): UIMessage => ({ id: 'm2', role: 'assistant', parts })
const step = (...parts: Part[]) => lastStepOf([message(...parts)])!

function having(...all: Interaction[]): SessionState {
  const state = initialState({ sessionId: 's', clientId: 'c' })
  return { ...state, interactions: new Map(all.map((one) => [one.interactionId, one])) }
}

describe('the decision for the SDK', () => {
  test.each([
    ['an open one', approval(), undefined],
    ['one that is being sent', approval({ status: 'submitting' }), undefined],
    ['one that could not be sent', approval({ status: 'not_sent' }), undefined],
    ['an approval', approval({ status: 'answered', response: { action: 'approve' } as never }), true],
    ['a denial', approval({ status: 'answered', response: { action: 'deny', reason: 'why' } as never }), false],
    ['a form', form({ status: 'answered', response: { action: 'submit' } as never }), true],
    ['a form that was declined', form({ status: 'answered', response: { action: 'decline' } as never }), false],
    ['an account', connect({ status: 'answered', authResult: { success: true } as never }), true],
    [
      'an account that was not connected',
      connect({ status: 'answered', authResult: { success: false } as never }),
      false,
    ],
    ['without an answer', approval({ status: 'expired' }), false],
    ['one that was left behind', approval({ status: 'superseded' }), false],
    ['one that was cancelled', approval({ status: 'cancelled' }), false],
  ])('%s', (_, interaction, approved) => {
    expect(decisionOf(interaction)?.approved).toBe(approved)
  })

  test('contains the reason of a denial, and a text for the model after any other end', () => {
    const no = approval({ status: 'answered', response: { action: 'deny', reason: 'why' } as never })
    expect(decisionOf(no)).toEqual({ approved: false, reason: 'why' })
    expect(decisionOf(approval({ status: 'expired' }))?.reason).toContain('The user did not answer')
  })
})

describe('a chat continues after a step', () => {
  test('if each call of the last step has an answer or a result', () => {
    expect(readyToResume(step(answered()))).toBe('["m2","a1"]')
    expect(readyToResume(step(answered(), waiting({ toolCallId: 'call-2' })))).toBeUndefined()
    expect(readyToResume(step(answered(), waiting({ toolCallId: 'call-2', state: 'output-available' })))).toBeDefined()
    expect(readyToResume(step(answered(), waiting({ toolCallId: 'call-2', state: 'input-available' })))).toBeUndefined()
  })

  test('unless an answer is missing, the step is an earlier one, or a message of the user follows it', () => {
    expect(readyToResume(step(waiting({ state: 'output-available' })))).toBeUndefined()
    expect(readyToResume(step(answered(), { type: 'step-start' }))).toBeUndefined()
    expect(lastStepOf([message(answered()), { id: 'm3', role: 'user', parts: [] }])).toBeUndefined()
  })
})

describe('the question of a part', () => {
  const part = waiting()
  if (!isToolPart(part)) throw new Error('no tool part')

  test('is the one that its descriptor names, in its latest prompt', () => {
    const second = approval({ interactionId: 'q2', replaces: 'q1' })
    const state = having(approval({ replacedBy: 'q2' }), second)
    expect(interactionOf(part, message(part), 'm1', state)).toBe(second)
  })

  test('is found also if prompts name each other, without an endless loop', () => {
    const state = having(approval({ replacedBy: 'q2' }), approval({ interactionId: 'q2', replacedBy: 'q1' }))
    expect(interactionOf(part, message(part), 'm1', state)).toBeDefined()
  })

  test('without a descriptor belongs to the run of the message, and not to an earlier call with the same id', () => {
    const bare = waiting({ approval: { id: 'a1' } })
    if (!isToolPart(bare)) throw new Error('no tool part')
    const call = { toolCallId: 'call-1', toolName: 'x', runId: 'run-1', status: 'unknown', logs: [] }
    const state = {
      ...having(approval({ status: 'answered', response: { action: 'approve' } as never })),
      toolCalls: new Map([['call-1', { ...call, interactionIds: ['q1'] }]]),
    }
    expect(interactionOf(bare, message(bare), 'run-1', state)?.interactionId).toBe('q1')
    expect(interactionOf(bare, message(bare), 'run-2', state)).toBeUndefined()
    expect(interactionOf(bare, message(bare), undefined, state)).toBeUndefined()
  })

  test('has its run from the descriptor, or from the data part next to it', () => {
    const bare = waiting({ state: 'input-available', approval: undefined })
    if (!isToolPart(bare)) throw new Error('no tool part')
    const told = { type: 'data-holdpoint', id: 'q1', data: descriptor } as Part
    expect(runOf(part, message(part))).toBe('run-1')
    expect(runOf(bare, message(bare, told))).toBe('run-1')
    expect(runOf(bare, message(bare))).toBeUndefined()
  })

  test.each([[null], ['q1'], [{ interactionId: 1, runId: 'r', toolCallId: 'c' }], [{}]])(
    'is not read from a data part with other content: %j',
    (data) => {
      expect(questionOf({ type: 'data-holdpoint', data } as Part)).toBeUndefined()
    },
  )
})

test('a button of the app sends the action for the kind of question, and cannot approve a question that needs values', () => {
  expect(answerOf(approval(), true, undefined)).toEqual({ action: 'approve' })
  expect(answerOf(approval(), false, 'why')).toEqual({ action: 'deny', reason: 'why' })
  expect(answerOf(form(), false, undefined)).toEqual({ action: 'decline' })
  expect(answerOf(connect(), false, undefined)).toEqual({ action: 'cancel' })
  expect(() => answerOf(form(), true, undefined)).toThrow(expect.objectContaining({ code: 'answer_needs_card' }))
})

test('the public types accept the message types of an app, and keep the type of useChat', () => {
  // Only compiled: `tsc` is what runs this.
  const compiled = () => {
    type Mine = UIMessage<{ at: number }, { weather: { degrees: number } }, { save: { input: object; output: string } }>
    const raw = useChat<Mine>()
    const chat = useHoldpointChat(raw)
    expectTypeOf(chat).toEqualTypeOf<typeof raw>()
    expectTypeOf(chat.messages[0]?.metadata?.at).toEqualTypeOf<number | undefined>()
    useHoldpointChat(raw, { onContinuedElsewhere: () => {} })
    // @ts-expect-error no such option
    useHoldpointChat(raw, { resume: true })
    // @ts-expect-error it is given the chat, not the options of one
    useHoldpointChat({ id: 'chat' })
    expectTypeOf<Mine>().toExtend<HoldpointPartProps['message']>()
    expectTypeOf<Mine['parts'][number]>().toExtend<HoldpointPartProps['part']>()
    expectTypeOf(HoldpointPart).parameter(0).toHaveProperty('onUpload')
    expectTypeOf<ToolSet>().not.toExtend<HoldpointPartProps>()
  }
  expect(compiled).toBeTypeOf('function')
})
