import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { addSurfaces, type NotificationPlan, type Surface } from '@holdpoint/server/surfaces'
import { faultyStore, testClock, testHuman } from '@holdpoint/server/testing'
import type { SurfaceTraits } from './world.ts'

export const ADA = { userId: 'ada' }
const URL_OF_APP = 'https://app.example.com/holdpoint'

/** Calls of the surface under way, so that a test waits for them and not for a time. */
class Calls {
  private readonly running = new Set<Promise<unknown>>()

  watch<T>(work: Promise<T>): Promise<T> {
    const done = work.catch(() => {}).finally(() => this.running.delete(done))
    this.running.add(done)
    return work
  }

  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running)
  }
}

/** Runs when the provider has the message and the reference is not stored. An error that it throws is that of the call. */
type AfterPresent = (die: () => void, deliveryId: string) => void

/** Nodes on one store with the surface of a test, under a clock that the test moves. */
export async function surfaceNodes(traits: SurfaceTraits) {
  const clock = testClock()
  const backing = memoryStore({ now: clock.now })
  const world = await traits.make({ now: clock.now })
  const calls = new Calls()
  const closing: (() => Promise<void>)[] = []

  function node({ route, afterPresent }: { route?: NotificationPlan; afterPresent?: AfterPresent } = {}) {
    const store = faultyStore({ ...backing, close: async () => {} } as Store)
    const holdpoint: Holdpoint = createHoldpoint({
      store,
      name: crypto.randomUUID(),
      environment: clock.environment,
      timing: { leaseMs: 5_000 },
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      hooks: { onToolResult: () => {}, onFollowUp: () => {} },
    })
    const { surface } = world
    const watched: Surface = {
      ...surface,
      name: surface.name,
      present: (...all) =>
        calls.watch(
          surface.present(...all).then((ref) => {
            afterPresent?.(() => store.die(), all[1].deliveryId)
            return store.dead ? Promise.resolve(ref) : ref
          }),
        ),
      update: (...all) => calls.watch(surface.update(...all)),
      ...(surface.find && { find: (...all) => calls.watch(surface.find!(...all)) }),
      ...(surface.routes && { routes: (one) => surface.routes!(one) }),
    }
    const pages = answerPage(holdpoint, { url: URL_OF_APP })
    addSurfaces(holdpoint, { pages, surfaces: [watched], ...(route && { route }) })
    closing.push(async () => {
      if (!store.dead) await holdpoint.close()
    })
    return holdpoint
  }

  /** Lets time pass in small steps, each of which waits for the surface. */
  async function pass(ms: number, step = 1_000): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      await clock.advance(Math.min(step, left))
      await calls.idle()
      await clock.settle()
    }
  }

  async function ask(holdpoint: Holdpoint, asked: object = {}) {
    const context = holdpoint
      .session('chat', ADA)
      .toolCall({ runId: 'run-1', toolCallId: crypto.randomUUID(), toolName: 'delete_files' })
    const asking = context
      .tryApprove({
        prompt: 'Delete 3 files?',
        args: { files: ['a.md'] },
        risk: 'low',
        timeoutMs: 86_400_000,
        ...asked,
      })
      .catch((error: unknown) => error)
    await clock.settle()
    return { asking, interactionId: () => openIn(holdpoint) }
  }

  /** Asks for a name, which is prefilled, and for a number of copies. */
  async function askForm(holdpoint: Holdpoint) {
    const context = holdpoint
      .session('chat', ADA)
      .toolCall({ runId: 'run-1', toolCallId: crypto.randomUUID(), toolName: 'order' })
    const asking = context
      .tryAsk({
        prompt: 'Where shall it go?',
        fields: [
          { id: 'name', type: 'text', label: 'Name', required: true, defaultValue: 'Ada' },
          { id: 'copies', type: 'integer', label: 'Copies', required: true, minimum: 1 },
        ],
        timeoutMs: 86_400_000,
      })
      .catch((error: unknown) => error)
    await clock.settle()
    return { asking, interactionId: () => openIn(holdpoint) }
  }

  async function openIn(holdpoint: Holdpoint): Promise<string> {
    const { interactions } = await holdpoint.interactions.list({ sessionId: 'chat', status: 'open' })
    return interactions[0]?.interactionId ?? ''
  }

  /** Ada answers in a tab. */
  async function answer(holdpoint: Holdpoint, action: 'approve' | 'deny' = 'approve') {
    const human = testHuman(holdpoint, { ...ADA, present: false })
    const [question] = await human.waiting()
    if (!question) throw new Error('no question waits')
    // An answer to a question whose process is gone waits for time to pass.
    await Promise.race([human[action](question), pass(10_000)])
  }

  async function stop() {
    for (const close of closing) await close()
    await world.stop?.()
  }
  return { clock, world, node, pass, ask, askForm, answer, stop, idle: () => calls.idle() }
}

export type SurfaceNodes = Awaited<ReturnType<typeof surfaceNodes>>
