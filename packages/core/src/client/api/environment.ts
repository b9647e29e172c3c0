import type { BrowserTabs } from '../../dom-types.ts'
import type { ClientEnvironment, SurroundingsEvent } from './types.ts'

/**
 * Returns the clock, randomness, network and page state of the platform. In Node and in workers, which have no page, it
 * registers no page listeners.
 *
 * @example createHoldpointClient({ sessionId, transport, environment: { ...browserEnvironment(), random: () => 0.5 } })
 */
export function browserEnvironment(): ClientEnvironment {
  const scope = globalThis as unknown as Partial<Window>
  const hidden = () => scope.document?.visibilityState === 'hidden'
  return {
    now: () => Date.now(),
    setTimeout: (callback, ms) => setTimeout(callback, ms),
    clearTimeout: (handle) => clearTimeout(handle as number),
    random: () => Math.random(),
    // Unlike randomUUID, this also works on pages without HTTPS.
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
        const pageEvents: Record<string, () => SurroundingsEvent> = {
          online: () => 'online',
          offline: () => 'offline',
          visibilitychange: () => (hidden() ? 'hidden' : 'visible'),
          pagehide: () => 'frozen',
          pageshow: () => 'thawed',
        }
        const onPageEvent = (event: Event) => {
          // `pageshow` without `persisted` is the first display of the page, so the page was not restored from the
          // back-forward cache.
          if (event.type !== 'pageshow' || (event as PageTransitionEvent).persisted) changed(pageEvents[event.type]!())
        }
        const types = Object.keys(pageEvents)
        for (const type of types) scope.addEventListener?.(type, onPageEvent)
        return () => {
          for (const type of types) scope.removeEventListener?.(type, onPageEvent)
        }
      },
    },
  }
}

/** Returns null outside of pages: Node also has locks and channels, but no tabs. */
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
