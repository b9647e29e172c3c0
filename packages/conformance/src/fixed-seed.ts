import fc from 'fast-check'
import { seedOr } from './seeded.ts'

/**
 * Set-up of the tests that share workers: a property without a seed of its own tries the same values in each run, so
 * that a run fails only because of a change. `HOLDPOINT_SEED` tries others. A property that fails prints its seed.
 */
fc.configureGlobal({ seed: seedOr(20_316) })
