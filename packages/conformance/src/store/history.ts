import { pages } from '@holdpoint/core/internal'
import type { Commit, CommitResult, Store } from '@holdpoint/server/store'

/** One event that a store acknowledged, with its acknowledged position. */
export interface Acknowledged {
  partition: string
  seq: number
  json: string
}

/** Checks what a commit's result promises about its events. */
export function acknowledged(item: Commit, result: CommitResult): Acknowledged[] {
  if (!result.ok) return []
  const events = item.events ?? []
  if (events.length > 0 && result.lastSeq - result.firstSeq + 1 !== events.length) {
    throw new Error(`${events.length} events were given ${result.firstSeq} to ${result.lastSeq}`)
  }
  return events.map((json, index) => ({ partition: item.partition, seq: result.firstSeq + index, json }))
}

/**
 * Compares a log with the acknowledged events: every number from 1 to the head occurs once, every acknowledged event is
 * at its position, and no event occurs twice. Returns the faults. Events must differ from each other.
 */
export async function checkLog(store: Store, partition: string, expected: readonly Acknowledged[]): Promise<string[]> {
  const wrong: string[] = []
  const bySeq = new Map<number, string>()
  const seen = new Set<string>()
  let head = 0
  let due = 1
  // It reads until a page is empty, because the head may be wrong as well.
  const read = async (from = 1) => {
    const { events, head } = await store.readLog(partition, { from, limit: 500 })
    const last = events.at(-1)
    return { events, head, next: last && last.seq + 1 }
  }
  for await (const page of pages(read)) {
    head = page.head
    for (const { seq, json } of page.events) {
      if (seq !== due) wrong.push(`${partition}: ${seq} where ${due} belongs`)
      if (seen.has(json)) wrong.push(`${partition}: ${json} occurs twice`)
      seen.add(json)
      bySeq.set(seq, json)
      due = seq + 1
    }
  }
  if (bySeq.size !== head) wrong.push(`${partition}: head ${head}, but ${bySeq.size} events`)
  for (const { seq, json } of expected.filter((event) => event.partition === partition)) {
    if (bySeq.get(seq) !== json) wrong.push(`${partition}: ${json} was acknowledged as ${seq}, found ${bySeq.get(seq)}`)
  }
  return wrong
}
