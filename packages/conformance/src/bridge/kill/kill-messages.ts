import type { Database } from '../places.ts'

/** The configuration of the process that will be killed. */
export interface BridgeKillSetup {
  /** The module that exports the driver. */
  module: string
  /** The database. */
  database: Database
  /** A file with one line for each effect of a tool. */
  journal: string
  /** The tool that is called. */
  tool: string
  /** State to resume from. Without it the process begins. */
  saved?: unknown
}

/** `stopped` when the framework stopped, `holds` when the slow tool runs. */
export type FromBridge = { type: 'stopped'; saved: unknown; state: string } | { type: 'holds' }
