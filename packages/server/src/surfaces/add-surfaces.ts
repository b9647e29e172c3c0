import { HoldpointError } from '@holdpoint/core'
import type { AnswerPage } from '../answer-page/index.ts'
import { assertIds } from '../base/assert-ids.ts'
import type { Json } from '../base/canonical-json.ts'
import type { Outreach, OutreachMessage } from '../engine/api/deliveries.ts'
import type { InteractionRecord } from '../engine/api/interactions.ts'
import type { Holdpoint } from '../holdpoint.ts'
import { appOf, engineOf } from '../http/mounted.ts'
import { LateReferences, withinTime } from './late-references.ts'
import { type NotificationPlan, stepsOf } from './routing/notification-plan.ts'
import { type QuietHours, quietUntil } from './routing/quiet-hours.ts'
import { SurfaceHealth } from './routing/surface-health.ts'
import type { Recipient, Surface, SurfaceLinks } from './surface.ts'

const TIMEOUT_MS = 30_000
const LONGEST_LINK_MS = 7 * 24 * 60 * 60_000
const SHORTEST_LINK_MS = 60_000

/** Options of `addSurfaces`. */
export interface SurfaceOptions {
  /** The pages of `answerPage`, to which messages link. */
  pages: AnswerPage
  // biome-ignore lint/suspicious/noExplicitAny: each surface has a reference type of its own
  surfaces: readonly Surface<any>[]
  /**
   * Returns the notification plan of an interaction: recipients, surfaces and times. Can also be one plan for all
   * interactions. Null notifies no user.
   *
   * @default the owner and the audience, on all surfaces, at once
   */
  route?:
    | NotificationPlan
    | ((interaction: InteractionRecord) => NotificationPlan | null | Promise<NotificationPlan | null>)
  /**
   * Returns the hours in which a user is not notified. Messages that fall into them are sent when they end.
   *
   * @default none
   */
  quietHours?: (user: {
    tenant: string
    userId: string
  }) => QuietHours | null | undefined | Promise<QuietHours | null | undefined>
  /**
   * Milliseconds after which a call of a surface counts as failed.
   *
   * @default 30_000
   */
  timeoutMs?: number
}

/**
 * Sends each question to the surfaces, and changes the messages when the question is settled anywhere. Call it once,
 * right after `createHoldpoint`, on every node.
 *
 * @example
 * const pages = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
 * addSurfaces(holdpoint, { pages, surfaces: [emailSurface({ transport, from, addressOf })], route: { remind: ['15m', '1d'] } })
 */
export function addSurfaces(holdpoint: Holdpoint, options: SurfaceOptions): void {
  for (const { name } of options.surfaces) assertIds('addSurfaces: a surface', { name })
  const surfaces = new Map(options.surfaces.map((surface) => [surface.name, surface]))
  if (surfaces.size < options.surfaces.length) {
    throw new HoldpointError(
      'invalid_options',
      'addSurfaces: two surfaces have the same name. Give each surface a name of its own.',
    )
  }
  // A plan for all interactions is checked now, and not at the first question.
  if (typeof options.route === 'object') stepsOf(options.route, { userId: '', audience: [] }, [...surfaces.keys()])
  for (const surface of options.surfaces) appOf(holdpoint).addRoutes(surface.routes?.(holdpoint) ?? [])
  engineOf(holdpoint).connectSurfaces(outreachOf(holdpoint, options, surfaces))
}

function outreachOf(
  holdpoint: Holdpoint,
  { pages, route = {}, quietHours, timeoutMs = TIMEOUT_MS }: SurfaceOptions,
  surfaces: ReadonlyMap<string, Surface>,
): Outreach {
  const { environment } = engineOf(holdpoint)
  const healths = new Map([...surfaces.keys()].map((name) => [name, new SurfaceHealth()]))

  const late = new LateReferences()

  /** Calls a surface with a timeout, and records success or failure of the call. */
  const calling = async <T>(
    message: OutreachMessage,
    work: (surface: Surface) => Promise<T>,
    after: (result: T) => void = () => {},
  ): Promise<T> => {
    const name = message.surface
    const surface = surfaces.get(name)
    const health = healths.get(name)
    if (!surface || !health) throw missing(name)
    try {
      const result = await withinTime({ environment, ms: timeoutMs, name, after }, work(surface))
      health.succeeded(recipientKey(message))
      return result
    } catch (error) {
      health.failed(recipientKey(message), environment.now(), error)
      throw error
    }
  }
  const linksOf = (interaction: InteractionRecord, { tenant, userId }: OutreachMessage): SurfaceLinks => ({
    page: pages.url(interaction),
    async answer() {
      const { interactionId, sessionId, expiresAt, request } = interaction
      const { now } = await engineOf(holdpoint).store.load([])
      const staysOpen = request.type === 'interaction_request' && request.answerableLater === true
      const left = staysOpen ? LONGEST_LINK_MS : expiresAt.getTime() - now
      const expiresInMs = Math.max(SHORTEST_LINK_MS, Math.min(LONGEST_LINK_MS, left))
      return pages.linkUrl(await holdpoint.links.create({ interactionId, sessionId, tenant, userId, expiresInMs }))
    },
  })

  return {
    async plan(interaction) {
      const plan = typeof route === 'function' ? await route(interaction) : route
      return plan ? stepsOf(plan, interaction, [...surfaces.keys()]) : []
    },
    async quietUntil(user, now) {
      const hours = await quietHours?.(user)
      return hours ? quietUntil(hours, now) : undefined
    },
    heldForMs: (message) => healths.get(message.surface)?.heldForMs(recipientKey(message), environment.now()) ?? 0,
    present: (interaction, message) =>
      calling(
        message,
        (surface) => surface.present(interaction, recipientOf(message), linksOf(interaction, message)),
        (ref) => late.keep(message.deliveryId, ref),
      ),
    async find(interaction, message) {
      const known = late.take(message.deliveryId)
      if (known !== null) return known
      return await calling(
        message,
        async (surface) => (await surface.find?.(interaction, recipientOf(message))) ?? null,
      )
    },
    update: (ref: Json, interaction, message) =>
      calling(message, (surface) => surface.update(ref, interaction, recipientOf(message))),
  }
}

const recipientKey = ({ tenant, userId }: { tenant: string; userId: string }) => JSON.stringify([tenant, userId])

function recipientOf({ surface: _surface, ...recipient }: OutreachMessage): Recipient {
  return recipient
}

function missing(name: string): Error {
  return new Error(`This process has no surface "${name}". Pass it to addSurfaces on every node.`)
}
