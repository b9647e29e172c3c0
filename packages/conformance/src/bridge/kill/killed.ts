import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHoldpoint } from '@holdpoint/server'
import { testHuman } from '@holdpoint/server/testing'
import { expect, onTestFinished } from 'vitest'
import type { BridgeDriver } from '../driver.ts'
import { type Database, folder, openDatabase, type Place } from '../places.ts'
import type { Row } from '../run-row.ts'
import { bridgeTools, type Ran } from '../tools.ts'
import { KILLED_OPTIONS, OWNER } from '../world.ts'
import type { BridgeKillSetup, FromBridge } from './kill-messages.ts'

const CHILD = fileURLToPath(new URL('./kill.child.ts', import.meta.url))

/** Rows in which a real process is killed. */
export const killRows: readonly Row[] = [
  {
    id: 'killed_waiting',
    stores: ['sqlite'],
    async run({ driver, place: data }) {
      const place = killPlace(driver, data, 'delete_files')
      const stopped = await place.process()
      expect(stopped).toMatchObject({ type: 'stopped', state: 'waiting' })
      const { agent, human, ran } = await place.survivor()
      await human.approve(await human.next())
      const stop = await agent.resume((stopped as { saved: unknown }).saved)
      expect(stop.calls['call-1']).toMatchObject({ state: 'done' })
      expect([place.journal(), ran]).toEqual([[], [{ tool: 'delete_files', files: ['a.txt'] }]])
    },
  },
  {
    id: 'killed_running',
    stores: ['sqlite'],
    async run({ driver, place: data }) {
      const place = killPlace(driver, data, 'slow_delete')
      const { saved } = (await place.process()) as { saved: unknown }
      const { agent, human, ran } = await place.survivor()
      await human.approve(await human.next())
      expect(await place.process(saved)).toEqual({ type: 'holds' })
      const stop = await agent.resume(saved)
      expect(stop.calls['call-1']).toMatchObject({ state: 'done' })
      expect([place.journal(), ran]).toEqual([['slow_delete'], []])
    },
  },
]

/** A database and the processes on it. */
function killPlace(driver: BridgeDriver, data: Place, tool: string) {
  const database = data as Database
  const journal = join(folder(), 'journal')
  writeFileSync(journal, '')
  const setup: BridgeKillSetup = { module: driver.module, database, journal, tool }
  return {
    journal: () => readFileSync(journal, 'utf8').split('\n').filter(Boolean),

    /** Starts a process, waits for its report, and kills it with SIGKILL. */
    async process(saved?: unknown): Promise<FromBridge> {
      const flags = ['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning']
      const child = spawn(process.execPath, [...flags, CHILD, JSON.stringify({ ...setup, saved })], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      const exited = once(child, 'exit')
      onTestFinished(() => void child.kill('SIGKILL'))
      const ended = exited.then(([code]) => Promise.reject(new Error(`the process ended by itself with ${code}`)))
      const [message] = (await Promise.race([once(child, 'message'), ended])) as [FromBridge]
      ended.catch(() => {})
      child.kill('SIGKILL')
      await exited
      return message
    },

    /** This process, on the same database. */
    async survivor() {
      const ran: Ran[] = []
      const holdpoint = createHoldpoint({ ...KILLED_OPTIONS, store: openDatabase(database) })
      onTestFinished(() => holdpoint.close())
      const agent = await driver.open({ holdpoint, tools: bridgeTools((one) => ran.push(one)), userId: OWNER })
      onTestFinished(() => agent.close?.())
      return { agent, ran, human: testHuman(holdpoint, { userId: OWNER }) }
    },
  }
}
