import type { HoldpointFetch } from './create-fetch.ts'

/** What a framework's shell needs of a Holdpoint. */
export interface Mounted {
  readonly fetch: HoldpointFetch
}
