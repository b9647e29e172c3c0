import type { Holdpoint } from '@holdpoint/server'
import { once } from '../once.ts'
import { acpTurn } from './acp.ts'
import { aiSdkTurn } from './ai-sdk.ts'
import { langchainTurn } from './langchain.ts'
import { mcpTurn } from './mcp.ts'
import { type BridgeName, bridges, newPage, pageOf, sessionOf } from './names.ts'
import { openAiTurn } from './openai-agents.ts'
import type { RunTurn, Texts } from './turn.ts'

const turns: Record<BridgeName, RunTurn> = {
  'ai-sdk': aiSdkTurn,
  langchain: langchainTurn,
  'openai-agents': openAiTurn,
  mcp: mcpTurn,
  acp: acpTurn,
}

/** Frameworks that end at a question. The others wait in this process. */
const RESUMED: readonly BridgeName[] = ['langchain', 'openai-agents', 'mcp']

export type Results = Partial<Record<BridgeName, Texts>>

/** The texts that each model read, by page. A real app has them in the conversation of its framework. */
const results = () => once('bridges-results', () => new Map<string, Results>())

export const resultsOf = (page: string): Results => results().get(page) ?? {}

/** Asks the same three questions through each bridge. Returns the id of the page that shows them. */
export function askAll(holdpoint: Holdpoint, userId: string): string {
  const page = newPage(userId)
  for (const bridge of Object.keys(bridges) as BridgeName[]) void go(holdpoint, bridge, page, userId)
  return page
}

/** Resumes the frameworks that stopped at a question of this session. */
export async function resume(holdpoint: Holdpoint, sessionId: string, userId: string): Promise<void> {
  for (const bridge of RESUMED) {
    if (sessionOf(pageOf(sessionId), bridge) === sessionId) await go(holdpoint, bridge, pageOf(sessionId), userId)
  }
}

/** Steps of one framework follow each other: two resumes at once would both call its model. */
async function go(holdpoint: Holdpoint, bridge: BridgeName, page: string, userId: string): Promise<void> {
  const steps = once('bridges-steps', () => new Map<string, Promise<void>>())
  const key = `${page}.${bridge}`
  const step = (steps.get(key) ?? Promise.resolve()).then(() => run(holdpoint, bridge, page, userId))
  steps.set(key, step)
  await step
}

async function run(holdpoint: Holdpoint, bridge: BridgeName, page: string, userId: string): Promise<void> {
  try {
    const sessionId = sessionOf(page, bridge)
    const done = resultsOf(page)[bridge] ?? {}
    const texts = await turns[bridge]({ holdpoint, sessionId, userId, runId: `${page}.${bridge}`, done })
    const before = resultsOf(page)
    results().set(page, { ...before, [bridge]: { ...before[bridge], ...texts } })
  } catch (error) {
    console.error(`The turn of ${bridge} failed:`, error)
  }
}
