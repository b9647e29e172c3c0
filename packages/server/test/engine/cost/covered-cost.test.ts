import { expect } from 'vitest'
import { callOf, type Life, question } from './cost-node.ts'
import { costSuite, type Limits } from './cost-suite.ts'
import { type Asks, deleting } from './deleting.ts'

const LIMITS: Limits<Asks> = {
  // Recorded as a question with its answer, with the claim of the call; finished.
  'before execute': {
    oneProcess: { commits: 2, loads: 2, rows: 11, lists: 0, bytes: 3_620, parses: 3, stringifies: 12 },
    twoNodes: { commits: 2, loads: 2, rows: 11, lists: 0, bytes: 3_620, parses: 3, stringifies: 12 },
  },
  // Claimed before; then the same.
  'in execute': {
    oneProcess: { commits: 3, loads: 3, rows: 15, lists: 0, bytes: 3_620, parses: 5, stringifies: 12 },
    twoNodes: { commits: 3, loads: 3, rows: 15, lists: 0, bytes: 3_620, parses: 5, stringifies: 12 },
  },
}

/** A person allows the tool for good in the first session. The calls of all others are allowed by that. */
const allowed: Life = async (sessionId, asking, answering, shown) => {
  if (sessionId === 'warm-up') await question('first', asking, answering, shown, 'always')
  // On two nodes, the one that did not ask finds what the person allowed.
  expect(await answering.run(sessionId, callOf(sessionId))).toMatchObject({ status: 'completed' })
}

costSuite(
  'the cost of one call that a rule allows, asked %s [HP-ANS-14]',
  LIMITS,
  (asks) => deleting(asks, { rememberAs: 'delete', scopes: ['once', 'always'] }),
  allowed,
)
