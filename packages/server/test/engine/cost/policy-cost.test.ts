import { withPolicy } from '@holdpoint/server/tools'
import { z } from 'zod'
import type { CostTool } from './cost-node.ts'
import { costSuite, type Limits } from './cost-suite.ts'

type Mode = 'confirm_before_execution' | 'confirm_after_execution'

const LIMITS: Limits<Mode> = {
  // Asked with the claim of the call; answered with the outcome; the work began; its value; finished.
  confirm_before_execution: {
    oneProcess: { commits: 5, loads: 5, rows: 22, lists: 0, bytes: 5_560, parses: 11, stringifies: 21 },
    twoNodes: { commits: 6, loads: 6, rows: 25, lists: 0, bytes: 6_870, parses: 15, stringifies: 22 },
  },
  // Claimed; the work began; its value; asked; answered with the outcome; finished.
  confirm_after_execution: {
    oneProcess: { commits: 6, loads: 7, rows: 31, lists: 0, bytes: 5_740, parses: 11, stringifies: 23 },
    twoNodes: { commits: 7, loads: 8, rows: 34, lists: 0, bytes: 7_100, parses: 15, stringifies: 24 },
  },
}

costSuite('the cost of one call of a tool with the policy %s', LIMITS, guarded)

/** A tool whose policy shows a pending output and asks one question. */
function guarded(mode: Mode): CostTool<{ url: string }> {
  return {
    input: { url: 'https://a.example' },
    tool: (holdpoint) =>
      holdpoint.tool(
        withPolicy(
          { name: 'call_system', input: z.object({ url: z.string() }), execute: ({ url }) => ({ url, status: 200 }) },
          { mode, confirm: ({ url }) => ({ prompt: `GET ${url}?` }), pending: ({ url }) => ({ request: { url } }) },
        ),
      ),
  }
}
