import { HoldpointError, type HoldpointErrorCode } from '@holdpoint/core'
import type { AuthNeededEvent, InteractionRequestEvent, ToolInteractionResponseMessage } from '@holdpoint/core/internal'

import { shownDigest } from '@holdpoint/core/wire'
import type { Principal } from '../base/principal.ts'
import type { Holdpoint } from '../holdpoint.ts'
import { engineOf } from '../http/mounted.ts'
import type { TestAccounts } from './accounts.ts'
import type { TestClock } from './clock.ts'

/** A question as the test user sees it. */
export interface TestQuestion {
  interactionId: string
  sessionId: string
  toolCallId: string
  toolName: string
  kind: 'approval' | 'input' | 'connect'
  prompt?: string
  args?: unknown
  /** The complete request. */
  request: InteractionRequestEvent | AuthNeededEvent
}

/** Options of `testHuman`. */
export interface TestHumanOptions extends Principal {
  /** The provider that was passed to `createHoldpoint`. `connect` needs it. */
  accounts?: TestAccounts
  /**
   * Milliseconds that `next` waits for a question. Keep it below the timeout of a test, which is five seconds in Vitest
   * and Jest. @default 2_000
   */
  nextTimeoutMs?: number
  /** If false, the user is not connected: nothing is shown, and no presence is reported. */
  present?: boolean
}

type Said = Partial<
  Pick<ToolInteractionResponseMessage, 'approvalScope' | 'args' | 'input' | 'reason' | 'diffDecisions' | 'answerId'>
>

const NEXT_TIMEOUT_MS = 2_000
const LOOK_MS = 5

/**
 * Creates a user who answers the questions of the code under test.
 *
 * @example
 * const human = testHuman(holdpoint, { userId: 'ada' })
 * const running = agent.run('delete the old files')
 * const question = await human.next({ toolName: 'delete_files' })
 * await human.approve(question)
 * await running
 */
export function testHuman(holdpoint: Holdpoint, options: TestHumanOptions) {
  const { accounts, present = true, nextTimeoutMs = NEXT_TIMEOUT_MS, ...principal } = options
  const engine = engineOf(holdpoint)
  const clientId = `test-human-${principal.userId}`
  const dealtWith = new Set<string>()
  let answers = 0

  /** Reports presence in all sessions of this user, as a browser would. */
  const attend = async () => {
    if (!present) return
    const { sessions } = await holdpoint.sessions.list(principal)
    for (const session of sessions) {
      await engine.presence.touch(session, { clientId, userId: principal.userId, visible: true })
    }
  }

  const waiting = async (): Promise<TestQuestion[]> => {
    const { items } = await engine.inbox(principal, {})
    return items.map(({ sessionId, interaction }) =>
      toQuestion(sessionId, interaction.request as TestQuestion['request']),
    )
  }

  const respond = async (question: TestQuestion, action: ToolInteractionResponseMessage['action'], said: Said) => {
    const { interactionId, toolCallId: callId, sessionId } = question
    dealtWith.add(interactionId)
    const { answerId = `${clientId}-${++answers}`, ...rest } = said
    const message = {
      type: 'tool_interaction_response' as const,
      clientId,
      callId,
      interactionId,
      answerId,
      action,
      shownDigest: shownDigest(question.request),
      ...rest,
    }
    const reply = await engine.answer(principal, sessionId, message)
    if (reply.status < 400) return
    dealtWith.delete(interactionId)
    const { error } = reply.body as { error: { code: string; message: string } }
    throw new HoldpointError(error.code as HoldpointErrorCode, `The answer was rejected: ${error.message}`, {
      details: error,
    })
  }

  return {
    /**
     * Returns the next question that was not handled yet. Waits for it up to `nextTimeoutMs` of real time. A question
     * whose answer was rejected is still open, and is returned again.
     */
    async next(
      match: { toolName?: string; kind?: TestQuestion['kind']; sessionId?: string } = {},
    ): Promise<TestQuestion> {
      const until = performance.now() + nextTimeoutMs
      for (;;) {
        await attend()
        const seen = await waiting()
        const found = seen.find(
          (question) =>
            !dealtWith.has(question.interactionId) &&
            Object.entries(match).every(([field, wanted]) => question[field as keyof TestQuestion] === wanted),
        )
        if (found) return found
        if (performance.now() > until) throw notAsked(match, nextTimeoutMs, seen, dealtWith)
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      }
    },
    /** Returns all open questions of this user. */
    waiting,
    approve: (
      question: TestQuestion,
      said: Pick<Said, 'approvalScope' | 'args' | 'reason' | 'diffDecisions' | 'answerId'> = {},
    ) => respond(question, 'approve', said),
    deny: (question: TestQuestion, reason?: string) =>
      respond(question, 'deny', reason === undefined ? {} : { reason }),
    fill: (question: TestQuestion, input: Record<string, unknown>) => respond(question, 'submit', { input }),
    decline: (question: TestQuestion, reason?: string) =>
      respond(question, 'decline', reason === undefined ? {} : { reason }),
    cancel: (question: TestQuestion) => respond(question, 'cancel', {}),
    /** Leaves a question unanswered, so that `next` skips it. */
    ignore: (question: TestQuestion) => void dealtWith.add(question.interactionId),
    /** Connects an account as a user does: starts a flow and completes it. */
    async connect(integration: string, scopes?: readonly string[]): Promise<void> {
      if (!accounts) throw accountsMissing()
      const question = (await waiting()).find(({ request }) => asksFor(request, integration))
      const wanted = scopes ?? (question?.request as AuthNeededEvent | undefined)?.scopes?.[integration]
      if (question) {
        await engine.connect(principal, question.sessionId, { interactionId: question.interactionId, integration })
      }
      accounts.set(principal, integration, wanted)
      await holdpoint.accounts.changed({ ...principal, integration })
    },
    /** Advances the test clock. Needs `createHoldpoint({ environment: testClock().environment })`. */
    async advance(time: number | string): Promise<void> {
      const { environment } = engine
      if (!isTestClock(environment)) throw clockMissing()
      await environment.advance(time)
    },
    /** Reports presence in all sessions of this user, without waiting for a question. */
    attend,
  }
}

/** A user that a test plays, created by `testHuman`. */
export type TestHuman = ReturnType<typeof testHuman>

function toQuestion(sessionId: string, request: TestQuestion['request']): TestQuestion {
  const { interactionId, toolCallId, toolName } = request
  const base = { interactionId, sessionId, toolCallId, toolName, request }
  if (request.type === 'auth_needed') return { ...base, kind: 'connect' }
  const { prompt, args } = request
  return {
    ...base,
    kind: request.interactionType === 'input' ? 'input' : 'approval',
    ...(prompt !== undefined && { prompt }),
    ...(args !== undefined && { args }),
  }
}

function asksFor(request: TestQuestion['request'], integration: string): boolean {
  return request.type === 'auth_needed' && request.integrations.includes(integration)
}

function isTestClock(environment: object): environment is Pick<TestClock, 'advance'> {
  return 'advance' in environment
}

function notAsked(
  match: object,
  waitedMs: number,
  seen: readonly TestQuestion[],
  dealtWith: ReadonlySet<string>,
): HoldpointError {
  const wanted = Object.keys(match).length > 0 ? ` that matches ${JSON.stringify(match)}` : ''
  const open = seen.map(({ interactionId, kind, toolName, sessionId }) => {
    const why = dealtWith.has(interactionId) ? ', already answered or ignored by this test' : ''
    return `${kind} of ${toolName} in session ${sessionId}${why}`
  })
  const found = open.length > 0 ? `Open for this user: ${open.join('; ')}.` : 'No question is open for this user.'
  return new HoldpointError(
    'no_question',
    `No question${wanted} came within ${waitedMs} ms. ${found} Check that the code under test runs, and that its session belongs to this user.`,
    { details: { open } },
  )
}

function accountsMissing(): HoldpointError {
  return new HoldpointError(
    'no_test_accounts',
    'connect() needs the accounts: const accounts = testAccounts(), given to createHoldpoint and to testHuman.',
  )
}

function clockMissing(): HoldpointError {
  return new HoldpointError(
    'no_test_clock',
    'advance() needs a clock that can be moved: const clock = testClock(), then createHoldpoint({ store: memoryStore({ now: clock.now }), environment: clock.environment }).',
  )
}
