import type { BrowserTabs } from '../../dom-types.ts'
import type { ClientEnvironment, SurroundingsEvent } from './types.ts'

/**
 * Time, chance, network and what can be seen of the page. It takes what the platform has: in Node and in workers there
 * is no page, and nothing is listened to that is not there.
 *
 * @example
 * createHoldpointClient({ sessionId, transport, environment: { ...browserEnvironment(), random: () => 0.5 } })
 */
export function browserEnvironment(): ClientEnvironment {
  const scope = globalThis as unknown as Partial<Window>
  const hidden = () => scope.document?.visibilityState === 'hidden'
  return {
    now: () => Date.now(),
    setTimeout: (callback, ms) => setTimeout(callback, ms),
    clearTimeout: (handle) => clearTimeout(handle as number),
    random: () => Math.random(),
    // Unlike randomUUID this works on plain http as well.
    id: () => crypto.getRandomValues(new Uint32Array(4)).reduce((id, part) => id + part.toString(36), ''),
    fetch: (input, init) => fetch(input, init),
    tabs: browserTabs(),
    surroundings: {
      online: () => scope.navigator?.onLine !== false,
      scarce: () =>
        (scope.performance?.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined)
          ?.nextHopProtocol === 'http/1.1',
      hidden,
      watch(changed) {
        const seen: Record<string, () => SurroundingsEvent> = {
          online: () => 'online',
          offline: () => 'offline',
          visibilitychange: () => (hidden() ? 'hidden' : 'visible'),
          pagehide: () => 'frozen',
          pageshow: () => 'thawed',
        }
        const heard = (event: Event) => {
          // A page that is shown for the first time was never put away.
          if (event.type !== 'pageshow' || (event as PageTransitionEvent).persisted) changed(seen[event.type]!())
        }
        const types = Object.keys(seen)
        for (const type of types) scope.addEventListener?.(type, heard)
        return () => {
          for (const type of types) scope.removeEventListener?.(type, heard)
        }
      },
    },
  }
}

/** Pages only: Node has locks and channels as well, and no tabs. */
function browserTabs(): BrowserTabs | undefined {
  const { document, navigator, BroadcastChannel } = globalThis as Partial<typeof globalThis>
  if (!document || !navigator?.locks || !BroadcastChannel) return undefined
  return {
    locks: navigator.locks as BrowserTabs['locks'],
    channel(name, received) {
      const channel = new BroadcastChannel(name)
      channel.onmessage = ({ data }) => received(data)
      return { post: (message) => channel.postMessage(message), close: () => channel.close() }
    },
    whenStopped(stopped) {
      document.addEventListener('freeze', stopped)
      globalThis.addEventListener('pagehide', stopped)
      return () => {
        document.removeEventListener('freeze', stopped)
        globalThis.removeEventListener('pagehide', stopped)
      }
    },
  }
}
