import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AccountProvider, HoldpointOptions } from '@holdpoint/server'
import { toNodeHandler } from '@holdpoint/server/node'
import { onTestFinished } from 'vitest'
import type { FaultyStore } from '../../../src/testing/faulty-store.ts'
import { ADA, type Asked, type AskedWorld, EVE, type Seen, seen, yes } from './asked-world.ts'

export interface Refusal {
  /** Of the message: why, or what to do about it. */
  says: RegExp
  options?: HoldpointOptions
  comesAbout(world: AskedWorld, store: FaultyStore): Promise<Seen>
}

const hello = { type: 'hello', clientId: 'tab-1' }
const ask = (world: AskedWorld) => world.asks('approval')
const session = (world: AskedWorld) => world.holdpoint.session('s1', ADA)
const acts = (...actions: object[]) => ({ type: 'user_actions', clientId: 'tab-1', actions })
const userActions = { global: { opened: { message: 'The user opened the page.' }, closed: { message: 'Closed.' } } }

/** A question that ends in some way, and an answer that comes after it. */
async function answeredAfter(world: AskedWorld, end: (asked: Asked) => Promise<unknown>): Promise<Seen> {
  const asked = await ask(world)
  await end(asked)
  return await world.send({ ...yes(asked), answerId: 'too-late' })
}

const awayAccounts: AccountProvider = {
  status: async () => ({ state: 'missing' }),
  start: () => Promise.reject(new Error('connect 10.0.0.3:443')),
  token: () => Promise.reject(new Error('connect 10.0.0.3:443')),
}

/** How each code of "Errors" in PROTOCOL.md comes about, but for those that "Bad input" has. */
export const refusals: Record<string, Refusal> = {
  unknown_action: {
    says: /userActions/,
    options: { userActions },
    comesAbout: async (world) => {
      await ask(world)
      return await world.send(acts({ type: 'global_event', event: 'format_disk' }))
    },
  },
  not_authenticated: { says: /Log in and try again/, comesAbout: (world) => world.fetch('/inbox', { user: null }) },
  forbidden: {
    says: /Its owner may/,
    options: {
      security: { authorize: ({ principal, action, owner }) => principal.userId === owner || action === 'read' },
    },
    comesAbout: async (world) => world.send(yes(await ask(world)), { user: EVE.userId }),
  },
  origin_not_allowed: {
    says: /allowedOrigins/,
    comesAbout: (world) => world.send(hello, { headers: { origin: 'https://evil.example' } }),
  },
  host_not_allowed: {
    says: /allowedHosts/,
    options: { security: { allowedHosts: ['app.example'] } },
    // `fetch` does not allow a Host header, so this request bypasses the socket.
    comesAbout: async ({ holdpoint }) =>
      seen(await holdpoint.fetch(new Request('http://evil.example/inbox', { headers: { host: 'evil.example' } }))),
  },
  unknown_run: {
    says: /read a snapshot/,
    comesAbout: async (world) => {
      await ask(world)
      return await world.send({ type: 'cancel_run', clientId: 'tab-1', runId: 'nobodys' })
    },
  },
  unknown_tool_call: {
    says: /is in its log/,
    options: { userActions: { tools: { tool: { opened: { message: 'Opened.' } } } } },
    comesAbout: async (world) => {
      await ask(world)
      return await world.send(acts({ type: 'tool_event', toolCallId: 'nobodys', toolName: 'tool', event: 'opened' }))
    },
  },
  unknown_tool_setting: {
    says: /holdpoint\.tool/,
    comesAbout: (world) => world.send({ toolName: 'nobodys', choice: 'auto' }, { path: '/tool-settings' }),
  },
  return_not_allowed: {
    says: /allowedOrigins/,
    comesAbout: (world) =>
      world.send(
        { interactionId: 'i1', integration: 'crm', returnTo: 'https://evil.example/' },
        { path: '/sessions/s1/connect' },
      ),
  },
  mount_mismatch: {
    says: /mountPath.*agree/,
    options: { http: { mountPath: '/api/holdpoint' } },
    comesAbout: (world) => world.fetch('/inbox'),
  },
  method_not_allowed: { says: /takes POST/, comesAbout: (world) => world.fetch('/sessions/s1/messages') },
  settling: {
    says: /[Tt]ry again/,
    async comesAbout(world) {
      const context = session(world).toolCall({ runId: 'run-1', toolCallId: 'decides', toolName: 'tool' })
      const asked = context.requestInteraction({
        type: 'approval',
        prompt: 'Quick?',
        timeoutMs: 20,
        whenUnavailable: 'wait',
        onResponse: () => ({ complete: 'answered' }),
        onTimeout: () => new Promise<{ complete: string }>(() => {}),
      })
      asked.catch(() => {})
      for (;;) {
        const [found] = (await world.snapshot()).interactions ?? []
        const interactionId = String(found?.request.interactionId)
        // With a scope a no is none: as long as the question is open, this leaves it so.
        const no = {
          ...yes({ interactionId, callId: 'decides', shownDigest: 'none', outcome: asked }),
          action: 'deny',
          approvalScope: 'once',
        }
        const answer = found && (await world.send(no))
        if (answer?.code === 'settling') return answer
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  },
  already_answered: {
    says: /respondedBy/,
    comesAbout: (world) => answeredAfter(world, (asked) => world.send(yes(asked))),
  },
  answer_id_reused: {
    says: /Create a new id/,
    async comesAbout(world) {
      const asked = await ask(world)
      await world.send(yes(asked))
      return await world.send({ ...yes(asked), action: 'deny' })
    },
  },
  action_id_reused: {
    says: /Create a new id/,
    options: { userActions },
    async comesAbout(world) {
      await ask(world)
      const action = { type: 'global_event', actionId: 'a1', event: 'opened' }
      await world.send(acts(action))
      return await world.send(acts({ ...action, event: 'closed' }))
    },
  },
  not_extendable: {
    says: /before expiresAt/,
    comesAbout: async (world) => {
      const asked = await ask(world)
      await world.send(yes(asked))
      const { interactionId } = asked
      return await world.send({ type: 'extend_interaction', clientId: 'tab-1', interactionId })
    },
  },
  not_interactive: {
    says: /Switch them on/,
    async comesAbout(world) {
      const asked = await ask(world)
      await world.send({ ...hello, interaction: { supported: true, enabled: false } })
      return await world.send(yes(asked))
    },
  },
  shown_differs: {
    says: /show the open question/,
    async comesAbout(world) {
      const asked = await ask(world)
      return await world.send({ ...yes(asked), shownDigest: 'of another question' })
    },
  },
  expired: {
    says: /may ask again/,
    async comesAbout(world) {
      const context = session(world).toolCall({ runId: 'run-1', toolCallId: 'quick', toolName: 'tool' })
      const outcome = await context.tryApprove({ prompt: 'Quick?', timeoutMs: 20 })
      const [found] = (await world.snapshot()).interactions
      const interactionId = String(found?.request.interactionId)
      const asked = { interactionId, callId: 'quick', shownDigest: 'none', outcome: Promise.resolve(outcome) }
      return await world.send(yes(asked))
    },
  },
  cancelled: {
    says: /answer was not recorded/,
    comesAbout: (world) => answeredAfter(world, () => session(world).cancelRun('run-1')),
  },
  superseded: {
    says: /the newer one/,
    comesAbout: (world) => answeredAfter(world, () => session(world).declineWaiting()),
  },
  rate_limited: {
    says: /Wait/,
    options: { http: { rateLimit: { burst: 1, perSecond: 0.01 } } },
    async comesAbout(world) {
      await world.fetch('/inbox')
      return await world.fetch('/inbox')
    },
  },
  internal: {
    says: /log has the reason/,
    options: { authenticate: () => Promise.reject(new Error('connect 10.0.0.3:5432')) },
    comesAbout: (world) => world.fetch('/inbox'),
  },
  body_already_read: {
    says: /before that middleware/,
    async comesAbout(world) {
      const handle = toNodeHandler(world.holdpoint)
      const server = createServer((asking, response) => {
        asking.resume().on('end', () => void handle(asking, response))
      })
      onTestFinished(() => void server.close())
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      return await world.send(hello, { path: `${origin}/sessions/s1/messages`, headers: { origin } })
    },
  },
  not_configured: {
    says: /createHoldpoint\(\)/,
    async comesAbout(world) {
      await ask(world)
      return await world.send(acts({ type: 'global_event', event: 'opened' }))
    },
  },
  accounts_unavailable: {
    says: /Try again/,
    options: { accounts: awayAccounts },
    async comesAbout(world) {
      const context = session(world).toolCall({ runId: 'run-1', toolCallId: 'connects', toolName: 'tool' })
      context.tryConnect({ integrations: ['slack'] }).catch(() => {})
      for (;;) {
        const [found] = (await world.snapshot()).interactions ?? []
        if (found) {
          const { interactionId } = found.request
          return await world.send({ interactionId, integration: 'slack' }, { path: '/sessions/s1/connect' })
        }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
  },
  store_unavailable: {
    says: /nothing was lost/,
    async comesAbout(world, store) {
      await ask(world)
      store.down()
      const answer = await world.fetch('/sessions/s1')
      store.up()
      return answer
    },
  },
}
