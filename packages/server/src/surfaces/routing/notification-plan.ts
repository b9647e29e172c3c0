import { HoldpointError } from '@holdpoint/core'
import { milliseconds } from '../../base/clock.ts'
import type { PlannedStep } from '../../engine/api/deliveries.ts'
import type { InteractionRecord } from '../../engine/api/interactions.ts'

/**
 * The recipients, surfaces and times of an interaction's notifications. Times are milliseconds, or texts such as
 * `'15m'` and `'1d'`.
 */
export interface NotificationPlan {
  /**
   * Users to notify. A user who could not answer before may answer the interaction from the moment of the notification.
   *
   * @default the owner of the session and the audience of the interaction
   */
  to?: readonly string[]
  /**
   * Names of surfaces.
   *
   * @default all
   */
  surfaces?: readonly string[]
  /**
   * Notifies a user who has not looked for this long. A user looks while the session or the inbox (`useInbox`) is on a
   * visible page: a tab in the background or a closed page does not count. Each user waits for their own looks only. 0
   * notifies at once, also users who look. `docs/email-and-slack.md` describes what counts as a look.
   *
   * @default at once, or 30 seconds after the last look of a user who looks now or has just looked
   */
  unseenFor?: number | string
  /**
   * When users are notified again while the interaction is open, counted from the question; at most 10 times.
   *
   * @default []
   */
  remind?: readonly (number | string)[]
  /**
   * Further users who are notified after a time, and may answer from then on.
   *
   * @default []
   */
  escalate?: readonly { after: number | string; to: readonly string[]; surfaces?: readonly string[] }[]
}

const MOST_REMINDERS = 10
/** Without an `unseenFor`: how long no user may have looked. A page that is loaded again is away for less. */
const JUST_LOOKED_MS = 30_000

/** Returns the steps of a plan, the earliest first. Reminders are sent to the first users only. */
export function stepsOf(
  plan: NotificationPlan,
  interaction: Pick<InteractionRecord, 'userId' | 'audience'>,
  known: readonly string[],
): PlannedStep[] {
  assertPlan(plan)
  const to = unique(plan.to ?? [interaction.userId, ...interaction.audience])
  const surfaces = unique(plan.surfaces ?? known)
  const waitMs = plan.unseenFor === undefined ? undefined : duration(plan.unseenFor)
  const unseenForMs = waitMs ?? JUST_LOOKED_MS
  // A step that waits for no time does not ask who looks.
  const unseen = unseenForMs === 0 ? {} : { unseenForMs }
  const times = (plan.remind ?? []).slice(0, MOST_REMINDERS).map(duration)
  const reminders = times.sort((one, other) => one - other)
  const steps: PlannedStep[] = [
    { afterMs: waitMs ?? 0, to, surfaces, reminder: 0, ...unseen },
    ...reminders.map((afterMs, index) => ({ afterMs, to, surfaces, reminder: index + 1, ...unseen })),
    ...(plan.escalate ?? []).map((step) => ({
      afterMs: duration(step.after),
      to: unique(step.to),
      surfaces: unique(step.surfaces ?? surfaces),
      reminder: 0,
      ...unseen,
    })),
  ]
  const missing = steps.flatMap((step) => step.surfaces).find((name) => !known.includes(name))
  if (missing !== undefined) {
    throw new HoldpointError(
      'invalid_options',
      `addSurfaces: the route names a surface "${missing}" that does not exist. The surfaces are: ${known.join(', ')}.`,
    )
  }
  const useful = steps.filter((step) => step.to.length > 0 && step.surfaces.length > 0)
  return useful.sort((one, other) => one.afterMs - other.afterMs)
}

type Shape = Readonly<Record<string, 'list' | 'time'>>

const PLAN = { to: 'list', surfaces: 'list', unseenFor: 'time', remind: 'list', escalate: 'list' } as const
const ESCALATION = { after: 'time', to: 'list', surfaces: 'list' } as const

/** A mistyped name would be ignored, and a text for a list of users would be a list of characters. */
function assertPlan(plan: NotificationPlan): void {
  assertShape('the route', 'a route', plan, PLAN)
  for (const step of plan.escalate ?? []) assertShape('an escalation', 'an escalation', step, ESCALATION)
}

function assertShape(owner: string, kind: string, given: object, shape: Shape): void {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(shape, name)) {
      const names = new Intl.ListFormat('en', { type: 'disjunction', style: 'long' }).format(Object.keys(shape))
      throw new HoldpointError('invalid_options', `addSurfaces: "${name}" is no option of ${kind}. Use ${names}.`)
    }
    if (shape[name] === 'list' && value !== undefined && !Array.isArray(value)) {
      throw new HoldpointError(
        'invalid_options',
        `addSurfaces: "${name}" of ${owner} must be a list, got ${value === null ? 'null' : typeof value}.`,
      )
    }
  }
}

function duration(time: number | string): number {
  const ms = milliseconds(time)
  if (ms >= 0 && Number.isFinite(ms)) return ms
  throw new HoldpointError('invalid_time', `addSurfaces: a time of the route must not be negative, got ${time}.`)
}

const unique = (names: readonly string[]) => [...new Set(names)]
