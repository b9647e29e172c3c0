import type { StoreSetup } from '../../nodes/commands.ts'

/** The configuration of one life of a node that sends messages and dies. */
export interface LifeSetup {
  store: StoreSetup
  /** The file of the provider, and of the answers that the node accepted. Each effect is a line. */
  log: string
  life: number
  seed: number
  /** Whether the provider finds a message by its id. */
  finds: boolean
  /** The node kills itself with -9 at this step: before or after a call to the store, or to the provider only. */
  crash?: { step: number; of: 'all' | 'provider' }
  /** The node kills itself with -9 after so many milliseconds, if it took fewer steps. Absent: it lives until all is done. */
  latestMs?: number
}

/** Few questions in each session, because a session is read as a whole. */
export const sessionOf = (life: number) => `chat-${Math.floor(life / 140)}-${life % 7}`

/** The lines of a log, split into words. */
export const linesOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '))
