import { createHoldpoint, type Holdpoint, type HoldpointOptions, type LifecycleEvent } from '@holdpoint/server'
import { engineOf } from '../../support/engine.ts'
import { person } from '../../support/person.ts'
import { type Place, storeAt } from '../../support/stores.ts'
import { watchedStore } from '../../support/watched-store.ts'

/** A Holdpoint whose questions one user answers, for the bridge to a framework. */
export function bridged(place: Place, options: HoldpointOptions = {}) {
  const ada = person()
  const { store, written } = watchedStore(storeAt(place))
  const waiting = new Map<string, (asked: Extract<LifecycleEvent, { type: 'asked' }>) => void>()
  const holdpoint: Holdpoint = createHoldpoint({
    store,
    ...options,
    hooks: {
      onEvent: (event) => {
        if (event.type === 'asked') waiting.get(event.sessionId)?.(event)
      },
      onSettled: () => {},
    },
  })
  return {
    holdpoint,
    /** The commits of the store so far. */
    commits: () => written().commits,
    /**
     * Runs the framework, which asks one question in this session, and ends or waits. Returns the answers of the tabs to the
     * question: an approval, or the input of a form.
     */
    async expecting(sessionId: string, asks: () => unknown, input?: Record<string, unknown>) {
      const asked = new Promise<{ toolCallId: string; interactionId: string }>((resolve) =>
        waiting.set(sessionId, resolve),
      )
      await asks()
      const { toolCallId, interactionId } = await asked
      waiting.delete(sessionId)
      const yes = ada.message(await ada.look(holdpoint, sessionId, toolCallId, interactionId))
      const message = input ? { ...yes, action: 'submit', input } : yes
      return async (tab: number): Promise<() => void> => {
        const given = { ...message, clientId: `tab-${tab}`, answerId: `${sessionId}-${tab}` }
        const { status, body } = await engineOf(holdpoint).answer({ userId: 'ada' }, sessionId, given)
        return () => {
          if (status !== 200) throw new Error(JSON.stringify(body))
        }
      }
    },
    close: async () => await holdpoint.close(),
  }
}
