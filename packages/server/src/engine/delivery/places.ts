import type { DeliveryRow } from '../state/rows.ts'

/** A hook that runs for longer no longer counts. */
export const HOOK_MS = 5 * 60_000
/** Deliveries of one lane that stay due while its places are taken. Each sweep reads them again. */
const MOST_DUE = 16
const FIRST_CALL_MS = 5
const SHORTEST_WAIT_MS = 2
const LONGEST_WAIT_MS = 60_000
/** Calls are slow while many wait, so that places would stay free if each delivery waited for its full share. */
const EARLY = 0.5
/** The weight of the latest call in the usual duration of a call. */
const LATEST = 0.2

interface Lane {
  name: string
  places: number
}

interface Running {
  startedAt: number
  lanes: readonly Lane[]
}

/** The usual duration of a call in a lane, and the time at which the next waiting delivery finds a place. */
interface Pace {
  callMs: number
  next: number
}

/**
 * The places of the deliveries that run at the same time. Each surface has a quarter of them, each user of a surface an
 * eighth, and all surfaces together half. A slow provider or recipient therefore leaves places for everything else.
 */
export class Places {
  private readonly now: () => number
  private readonly total: number
  private readonly running = new Map<string, Running>()
  private readonly paces = new Map<string, Pace>()

  constructor(now: () => number, total: number) {
    this.now = now
    this.total = total
  }

  /** Places of all lanes that are free. */
  get room(): number {
    return Math.max(0, this.total - this.counted().length)
  }

  has(deliveryId: string): boolean {
    return this.running.has(deliveryId)
  }

  /** Whether every lane of the delivery has a place. */
  isFree(row: DeliveryRow): boolean {
    return this.fullLane(row) === undefined
  }

  take(row: DeliveryRow): void {
    this.running.set(row.deliveryId, { startedAt: this.now(), lanes: this.lanesOf(row) })
  }

  leave(row: DeliveryRow): void {
    const ended = this.running.get(row.deliveryId)
    if (!this.running.delete(row.deliveryId) || !ended) return
    const pace = this.paceOf(row)
    pace.callMs += LATEST * (this.now() - ended.startedAt - pace.callMs)
  }

  /**
   * Milliseconds after which a delivery that found no place is due again, by the speed of its lane; undefined if it stays
   * due. `due` counts the deliveries of each lane that one sweep found without a place. A delivery that waits for the first
   * time joins the end of the line. One that has waited is next.
   */
  waitMs(row: DeliveryRow, due: Map<string, number>): number | undefined {
    const name = paceName(row)
    const count = (due.get(name) ?? 0) + 1
    due.set(name, count)
    if (count <= MOST_DUE) return undefined
    const pace = this.paceOf(row)
    const now = this.now()
    const lane = this.fullLane(row)
    const eachMs = (EARLY * Math.max(pace.callMs, this.ageOf(lane))) / (lane?.places ?? 1)
    pace.next = Math.max(pace.next, now) + (row.waited ? 0 : eachMs)
    const wait = row.waited ? count * eachMs : pace.next - now
    return Math.ceil(Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, wait)))
  }

  /** How long the calls of a lane have been running, on average. A provider that hangs has no other duration. */
  private ageOf(lane: Lane | undefined): number {
    const running = this.counted().filter(({ lanes }) => lanes.some(({ name }) => name === lane?.name))
    const ages = running.map(({ startedAt }) => this.now() - startedAt)
    return ages.reduce((sum, age) => sum + age, 0) / Math.max(1, ages.length)
  }

  /** The first lane of the delivery without a free place. */
  private fullLane(row: DeliveryRow): Lane | undefined {
    const counted = this.counted()
    const all = { name: 'all', places: this.total }
    if (counted.length >= this.total) return all
    return this.lanesOf(row).find(({ name, places }) => {
      const taken = counted.filter(({ lanes }) => lanes.some((lane) => lane.name === name))
      return taken.length >= places
    })
  }

  private counted(): Running[] {
    const since = this.now() - HOOK_MS
    return [...this.running.values()].filter(({ startedAt }) => startedAt > since)
  }

  private lanesOf(row: DeliveryRow): Lane[] {
    if (row.type === 'surface_message') {
      const { surface, tenant, to } = row
      return [
        { name: 'surfaces', places: this.share(2) },
        { name: paceName(row), places: this.share(4) },
        { name: JSON.stringify([surface, tenant, to]), places: this.share(8) },
      ]
    }
    return row.type.startsWith('surface_') ? [{ name: paceName(row), places: this.share(4) }] : []
  }

  private paceOf(row: DeliveryRow): Pace {
    const name = paceName(row)
    const pace = this.paces.get(name) ?? { callMs: FIRST_CALL_MS, next: 0 }
    this.paces.set(name, pace)
    return pace
  }

  private share(part: number): number {
    return Math.max(1, Math.floor(this.total / part))
  }
}

/** Users share the pace of their surface, so that the number of paces is bounded. */
const paceName = (row: DeliveryRow): string =>
  row.type === 'surface_message' ? `surface ${row.surface}` : row.type.startsWith('surface_') ? 'plans' : 'hooks'
