import { expect, expectTypeOf, test } from 'vitest'
import {
  type Answer,
  cardViewOf,
  createHoldpointClient,
  type HoldpointClient,
  type HoldpointEvent,
  type Interaction,
  type RespondResult,
  type SessionState,
  selectForToolCall,
  selectPending,
  type Transport,
} from '../../index.ts'
import { initialState } from '../../machine/state/initial.ts'
import { can } from '../../machine/state/permissions.ts'
import type { MachineEffect, Topic } from '../../machine/state/types.ts'
import type { ViewState } from '../../machine/state/view.ts'
import { transition } from '../../machine/transition.ts'
import { browserEnvironment } from './environment.ts'

declare const client: HoldpointClient
declare const transport: Transport

test('the public types accept every possible call and reject impossible ones', () => {
  // Never executed: `tsc` checks it.
  const compiled = () => {
    expectTypeOf(createHoldpointClient({ sessionId: 's', transport })).toEqualTypeOf<HoldpointClient>()
    // @ts-expect-error a session is needed
    createHoldpointClient({ transport })
    createHoldpointClient({ sessionId: 's', transport, environment: { random: () => 0 }, history: 'log' })
    // @ts-expect-error no such start
    createHoldpointClient({ sessionId: 's', transport, history: 'nowhere' })

    expectTypeOf(client.getSnapshot()).toEqualTypeOf<SessionState>()
    expectTypeOf(client.respond).parameters.toEqualTypeOf<[interactionId: string, answer: Answer]>()
    expectTypeOf(client.respond('i', { action: 'approve' })).resolves.toEqualTypeOf<RespondResult>()
    // @ts-expect-error no such action
    void client.respond('i', { action: 'accept' })
    // @ts-expect-error no such scope
    void client.respond('i', { action: 'approve', approvalScope: 'forever' })
    client.subscribe(() => {}, 'interaction:i1')
    client.subscribe(() => {}, ['pending', 'run:r1'])
    // @ts-expect-error no such topic
    client.subscribe(() => {}, 'everything')
    client.onEvent((event, cursor) => {
      expectTypeOf(event).toEqualTypeOf<HoldpointEvent>()
      expectTypeOf(cursor).toEqualTypeOf<string>()
    })
    void client.sendUserActions([{ type: 'tool_event', toolCallId: 'c', toolName: 't', event: 'confirmed' }])
    // @ts-expect-error a tool event names its tool
    void client.sendUserActions([{ type: 'tool_event', event: 'confirmed' }])
    // @ts-expect-error a snapshot is not to be written into
    client.getSnapshot().pendingIds.push('x')
    // @ts-expect-error nor is an interaction
    selectPending(client.getSnapshot())[0].status = 'answered'
  }
  expect(compiled).toBeTypeOf('function')
})

test('the result of an answer is narrowed by `status`', () => {
  const say = (result: RespondResult): string => {
    switch (result.status) {
      case 'already_answered':
        return result.respondedBy?.name ?? 'another user'
      case 'invalid':
      case 'not_sent':
        return result.problem.message
      case 'accepted':
        return result.replayed ? 'again' : 'yes'
      default:
        expectTypeOf(result.status).toEqualTypeOf<
          'expired' | 'cancelled' | 'superseded' | 'unknown' | 'forbidden' | 'not_interactive' | 'shown_differs'
        >()
        return result.status
    }
  }
  expect(say({ status: 'accepted', replayed: true })).toBe('again')
})

test('the machine has exact types from input to effects', () => {
  const state = initialState({ sessionId: 's', clientId: 'c' })
  expectTypeOf(transition(state, { type: 'mode', enabled: false }, 0)).toEqualTypeOf<[SessionState, MachineEffect[]]>()
  // @ts-expect-error no such input
  expect(() => transition(state, { type: 'mood' }, 0)).not.toThrow()
  expectTypeOf(selectForToolCall(state, 'call-1')).toEqualTypeOf<Interaction | undefined>()
  expectTypeOf(cardViewOf(undefined, state, 0).state).toEqualTypeOf<ViewState>()
  expectTypeOf<`run:${string}`>().toExtend<Topic>()
  expectTypeOf(can(state, { type: 'respond', interactionId: 'i' })).toEqualTypeOf<boolean>()
  expectTypeOf(browserEnvironment().surroundings.online()).toEqualTypeOf<boolean>()
  expect(can(state, { type: 'respond', interactionId: 'i' })).toBe(false)
})
