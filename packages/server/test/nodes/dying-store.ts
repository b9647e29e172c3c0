import type { Store } from '@holdpoint/server/store'
import type { Moment } from './commands.ts'

/** A store whose process dies of SIGKILL at the commit that records an answer. */
export function dyingStore(store: Store, moment: Moment): Store {
  return {
    ...store,
    async commit(item) {
      const answers = item.events?.some((event) => event.includes('"type":"interaction_response"'))
      if (!answers) return await store.commit(item)
      if (moment === 'after the commit') await store.commit(item)
      process.kill(process.pid, 'SIGKILL')
      // The signal arrives before anything else happens here.
      return await new Promise<never>(() => {})
    },
  }
}
