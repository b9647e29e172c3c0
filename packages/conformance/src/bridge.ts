import { describe, expect, test } from 'vitest'
import type { BridgeDriver } from './bridge/driver.ts'
import { endingRows } from './bridge/endings.ts'
import { hostileRows } from './bridge/hostile.ts'
import { killRows } from './bridge/kill/killed.ts'
import { type Database, newSqlite } from './bridge/places.ts'
import { questionRows } from './bridge/questions.ts'
import { raceRows } from './bridge/races.ts'
import { BRIDGE_ROWS } from './bridge/rows.ts'
import { MEMORY, type Row } from './bridge/run-row.ts'
import { shownRows } from './bridge/shown.ts'
import { bridgeWorld } from './bridge/world.ts'
import { seeded, seedOr } from './seeded.ts'

export type * from './bridge/driver.ts'
export type { BridgeRow } from './bridge/rows.ts'
export { BRIDGE_ROWS }

const SEED = seedOr(19_019)

/**
 * Runs the rows that every bridge to an agent framework must pass. A row that cannot apply is skipped with the reason
 * that the driver gives, and the report prints it. With `database` each row runs on it instead of on its own stores.
 *
 * @example
 * import { driver } from './support/langchain-driver.ts'
 * bridgeSuite('LangChain', driver)
 */
export function bridgeSuite(name: string, driver: BridgeDriver, database?: () => Database): void {
  const rows: Row[] = [...raceRows, ...killRows, ...hostileRows, ...endingRows, ...shownRows, ...questionRows]
  describe(`bridge: ${name}`, () => {
    test('the suite has code for each of its rows', () => {
      expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(Object.keys(BRIDGE_ROWS)))
    })
    for (const { id, stores = MEMORY, run } of rows) {
      for (const store of database ? (['postgres'] as const) : stores) {
        test(`${BRIDGE_ROWS[id]} (${store})`, { timeout: 120_000 }, async ({ skip }) => {
          const reason = driver.cannot?.[id]
          if (reason !== undefined) skip(reason)
          const place = database?.() ?? (store === 'sqlite' ? newSqlite() : { kind: 'memory' as const })
          await run({ driver, world: bridgeWorld(driver, place), place, random: seeded(SEED) })
        })
      }
    }
  })
}
