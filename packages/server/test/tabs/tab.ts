import { createHoldpointClient, type HoldpointClient, sse } from '@holdpoint/core'
import { createHoldpoint, type HoldpointOptions } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { onTestFinished } from 'vitest'
import { appOf } from '../../src/http/mounted.ts'
import { fakeOrigin, type Page, SPEED } from './fake-origin.ts'

/** A tab that reads one session from the beginning of its log. */
export interface Tab {
  page: Page
  client: HoldpointClient
  session: string
  /** The texts of the events, as the application gets them. */
  seen: string[]
  problems: string[]
}

type Sharing = Partial<Parameters<typeof sse>[0]>

/** An application whose `x-user` header says who reads, and the tabs of one browser in front of it. */
export function startTabs(options: Partial<HoldpointOptions> = {}) {
  const holdpoint = createHoldpoint({
    store: memoryStore(),
    authenticate: (request) => ({ userId: request.headers.get('x-user') ?? 'ada' }),
    http: { heartbeatMs: 8_000 / SPEED, rateLimit: { burst: 1e6, perSecond: 1e6 } },
    ...options,
  })
  const origin = fakeOrigin((request) => holdpoint.fetch(request))
  const tabs: Tab[] = []
  onTestFinished(async () => {
    for (const { client } of tabs) client.close()
    await holdpoint.close()
  })
  return {
    holdpoint,
    origin,
    tabs,
    streams: () => origin.requests.filter(({ path }) => path.endsWith('/events')).map(({ path }) => path),
    load: () => appOf(holdpoint).load,
    emit: (session: string, text: string, userId = 'ada') =>
      holdpoint.session(session, { userId }).emit({ type: 'content', text }),
    open(session: string, sharing: Sharing = {}): Tab {
      const page = origin.open()
      const tab: Tab = { page, session, seen: [], problems: [], client: undefined as never }
      tab.client = createHoldpointClient({
        sessionId: session,
        history: 'log',
        transport: sse({ url: 'http://localhost/holdpoint', ...sharing }),
        environment: page.environment,
        onProblem: ({ code }) => tab.problems.push(code),
      })
      tab.client.onEvent((event) => tab.seen.push((event as { text: string }).text))
      tabs.push(tab)
      return tab
    },
  }
}
