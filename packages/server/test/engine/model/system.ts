import { shownDigest } from '@holdpoint/core/wire'
import { createHoldpoint, type Holdpoint, type InteractionRefused, type Outcome } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { faultyStore, testClock } from '@holdpoint/server/testing'
import { engineOf } from '../../../src/http/mounted.ts'
import { ADA } from '../support/world.ts'
import { type Action, CALLS, LEASE_MS, ORPHAN_MS, runOf, type Sight, TIMEOUT_MS, type Variant } from './actions.ts'

type Event = { type: string; [field: string]: unknown }
const callName = (call: number) => ({ runId: `run-${runOf(call)}`, toolCallId: `call-${call}`, toolName: 'tool' })

/** The engine itself: a process that makes calls and may die, and a node that stays, on one store and one clock. */
export class System {
  readonly clock = testClock()
  private readonly backing = memoryStore({ now: this.clock.now })
  private followUps = 0
  private readonly options = {
    environment: this.clock.environment,
    timing: { leaseMs: LEASE_MS, orphanAfterMs: ORPHAN_MS },
    hooks: { onFollowUp: () => void this.followUps++, onToolResult: () => {} },
  }
  readonly observer = createHoldpoint({ ...this.options, store: this.backing })
  private process = this.start()
  private readonly promises: { state: string }[] = Array.from({ length: CALLS }, () => ({ state: 'none' }))

  private start() {
    const store = faultyStore({ ...this.backing, close: async () => {} })
    return { store, holdpoint: createHoldpoint({ ...this.options, store }) }
  }

  async do(action: Action): Promise<string> {
    const session = this.observer.session('chat', ADA)
    if (action.type === 'ask') return this.ask(action.call, action.variant)
    if (action.type === 'cancel run') return await session.cancelRun(`run-${action.run}`).then(() => 'ok')
    if (action.type === 'decline') return await session.declineWaiting().then(() => 'ok')
    const interactionId = (await this.questionsOf(action.call))[action.nth]
    if (interactionId === undefined) return 'none'
    if (action.type === 'cancel question') return `${await this.observer.cancelInteraction(interactionId)}`
    const engine = engineOf(
      action.type === 'answer' && action.action === 'deny' ? this.process.holdpoint : this.observer,
    )
    const reply =
      action.type === 'extend'
        ? await engine.extend(ADA, 'chat', { type: 'extend_interaction', clientId: 'tab', interactionId })
        : await engine.answer(ADA, 'chat', {
            type: 'tool_interaction_response',
            clientId: 'tab',
            callId: `call-${action.call}`,
            interactionId,
            answerId: action.id,
            action: action.action,
            shownDigest: shownDigest(await this.request(interactionId)),
          })
    const body = reply.body as { replayed?: boolean; error?: { code: string } }
    return body.error?.code ?? (body.replayed ? 'replayed' : 'ok')
  }

  private ask(call: number, variant: Variant): string {
    const promise = { state: 'waiting' }
    this.promises[call] = promise
    const { holdpoint } = this.process
    const asking = holdpoint
      .session('chat', ADA)
      .toolCall(callName(call))
      .requestInteraction({
        type: 'approval',
        key: 'k',
        prompt: `Variant ${variant}?`,
        extendable: true,
        timeoutMs: TIMEOUT_MS,
        whenUnavailable: 'wait',
        onResponse: ({ action }, { attempt }) =>
          action === 'deny' && attempt === 1
            ? { reprompt: { error: 'Really?' } }
            : { complete: `${action} ${attempt}` },
        ...onTimeout[variant],
      })
    void asking.then(
      (value) => {
        promise.state = typeof value === 'string' ? value : 'pending'
      },
      (error: InteractionRefused) => {
        promise.state = error.outcome ?? error.code
      },
    )
    return 'ok'
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms)
    await this.tick()
  }

  async kill(): Promise<void> {
    this.process.store.die()
    for (const promise of this.promises) if (promise.state === 'waiting') promise.state = 'dead'
    this.process = this.start()
    await this.clock.advance(2 * LEASE_MS)
    await this.tick()
  }

  /** Everything that is due now is done after this. */
  private async tick(): Promise<void> {
    for (let times = 0; times < 2; times++) {
      await this.observer.tick()
      await this.clock.settle()
    }
  }

  async sight(replies: readonly string[]): Promise<Sight> {
    await this.clock.settle()
    const log = await this.log()
    const questions = await Promise.all(
      Array.from({ length: CALLS }, async (_, call) => (await this.questionsOf(call)).map((id) => tell(log, id))),
    )
    return { replies, questions, promises: this.promises.map(({ state }) => state), followUps: this.followUps }
  }

  async close(): Promise<Holdpoint> {
    await this.process.holdpoint.close()
    return this.observer
  }

  private async log(): Promise<Event[]> {
    const session = await engineOf(this.observer).access(ADA, 'chat', 'read')
    if (!session) return []
    const page = await this.backing.readLog(engineOf(this.observer).partition(session), { from: 1, limit: 10_000 })
    return page.events.map(({ json }) => JSON.parse(json) as Event)
  }

  private async request(id: string): Promise<Parameters<typeof shownDigest>[0]> {
    const found = (await this.log()).find(
      ({ type, interactionId }) => type === 'interaction_request' && interactionId === id,
    )
    return found as unknown as Parameters<typeof shownDigest>[0]
  }

  private async questionsOf(call: number): Promise<string[]> {
    const asked = (await this.log()).filter(
      ({ type, toolCallId }) => type === 'interaction_request' && toolCallId === `call-${call}`,
    )
    return asked.map(({ interactionId }) => interactionId as string)
  }
}

const onTimeout: Record<Variant, { onTimeout?: () => Outcome }> = {
  0: {},
  1: { onTimeout: () => ({ complete: 'timed out' }) },
  2: { onTimeout: () => ({ pending: { message: 'later' } }) },
}

function tell(log: readonly Event[], id: string): string {
  const own = log.filter(({ interactionId, type }) => interactionId === id && type !== 'user_message')
  const answer = own.find(({ type }) => type === 'interaction_response')?.action
  const closed = own.find(({ type }) => type === 'interaction_closed')?.reason
  if (answer && closed) return `${answer}, ${closed}`
  return `${answer ?? closed ?? (own.some(({ deferred }) => deferred) ? 'deferred' : 'open')}`
}
