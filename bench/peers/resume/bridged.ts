import { createHoldpoint, type Holdpoint, type HoldpointOptions } from '@holdpoint/server'
import { engineOf } from '../../support/engine.ts'
import { person } from '../../support/person.ts'
import { type Place, storeAt } from '../../support/stores.ts'

/** A Holdpoint whose questions one user answers, for the bridge to a framework. */
export function bridged(place: Place, options: HoldpointOptions = {}) {
  const ada = person()
  const holdpoint: Holdpoint = createHoldpoint({
    store: storeAt(place),
    ...options,
    hooks: { onEvent: ada.onEvent, onSettled: () => {} },
  })
  return {
    holdpoint,
    /** Call this before the framework runs. Returns the answers of the tabs to the question of this call. */
    async expecting(sessionId: string, callId: string, asks: () => Promise<unknown>) {
      const asked = ada.question(holdpoint, sessionId, callId)
      await asks()
      const message = ada.message(await asked)
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
