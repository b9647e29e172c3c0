import { expect } from 'vitest'
import type { BridgeDriver, CallState } from './driver.ts'
import type { Place } from './places.ts'
import type { BridgeRow } from './rows.ts'
import type { BridgeWorld } from './world.ts'

export type StoreName = Place['kind']

/** One row of the suite, as code. */
export interface Row {
  id: BridgeRow
  /** Runs the row on these stores. @default memory */
  stores?: readonly StoreName[]
  run(row: { driver: BridgeDriver; world: BridgeWorld; place: Place; random: () => number }): Promise<void>
}

export const MEMORY: readonly StoreName[] = ['memory']
export const BOTH: readonly StoreName[] = ['memory', 'sqlite']
export const ONCE = [{ tool: 'delete_files', files: ['a.txt'] }]
export const DONE: CallState = { state: 'done', output: { deleted: 1 } }

/** The text that the model reads about a call that did not run. */
export function textOf(state: CallState | undefined): string {
  expect(state).toMatchObject({ state: 'not_done' })
  return (state as { text: string }).text
}
