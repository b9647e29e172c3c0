import type { Browser } from 'playwright-core'
import type { Deployment } from './servers.ts'

/** The context of a journey. It ends the servers. */
export interface World {
  readonly browser: Browser
  readonly deployment: Deployment
}

/** One way through the app, step by step. */
export interface Journey {
  /** A sentence about the app. */
  readonly title: string
  /** The only store that it needs to be tried on. */
  readonly on?: 'SQLite' | 'Postgres'
  run(world: World): Promise<void>
}
