import type { ToolContext } from '@holdpoint/server'
import { holdpointInterrupt } from '@holdpoint/server/langchain'
import {
  Annotation,
  type BaseCheckpointSaver,
  Command,
  END,
  interrupt,
  MemorySaver,
  START,
  StateGraph,
} from '@langchain/langgraph'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import pg from 'pg'
import { z } from 'zod'
import { versionOf } from '../../support/report.ts'
import type { Place } from '../../support/stores.ts'
import { bridged } from './bridged.ts'
import { nameOf } from './holdpoint.ts'
import { FILES, PROMPT, type ResumePeer } from './peer.ts'

const NAME = '@langchain/langgraph'
const State = Annotation.Root({ files: Annotation<string[]>(), deleted: Annotation<number>() })
type Durability = 'async' | 'sync'

/** One node asks, and says where to go on; another one acts. */
function graphOn(
  checkpointer: BaseCheckpointSaver,
  approved: (files: string[], threadId: string) => unknown,
  act: (files: string[], threadId: string) => unknown,
) {
  const threadOf = ({ configurable }: { configurable?: Record<string, unknown> }) => String(configurable?.thread_id)
  return new StateGraph(State)
    .addNode(
      'approval',
      async ({ files }, config) => new Command({ goto: (await approved(files, threadOf(config))) ? 'act' : END }),
      { ends: ['act', END] },
    )
    .addNode('act', async ({ files }, config) => {
      await act(files, threadOf(config))
      return { deleted: files.length }
    })
    .addEdge(START, 'approval')
    .addEdge('act', END)
    .compile({ checkpointer })
}

async function dropSchema({ url, schema }: { url: string; schema: string }): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  await client.end()
}

/**
 * "Approve or reject" of LangGraph's interrupts: one node asks, and says where to go on; another one acts. There is no
 * model in it, so it does less than the agents beside it. Checkpoints are in memory or, as its documents recommend for
 * production, in PostgreSQL: written while the next node runs already (`async`, the default), or before it (`sync`). With
 * two nodes, tabs take turns between two connection pools.
 *
 * Its SQLite checkpointer is not measured: it compiles C++ when it is installed.
 */
export async function langGraphPeer(
  kept: 'memory' | { url: string; schema: string },
  { nodes = 1, durability = 'async' }: { nodes?: number; durability?: Durability } = {},
): Promise<ResumePeer> {
  const effects = new Map<string, () => void>()
  const savers =
    kept === 'memory'
      ? []
      : Array.from({ length: nodes }, () => PostgresSaver.fromConnString(kept.url, { schema: kept.schema }))
  await savers[0]?.setup()
  const graphs = (kept === 'memory' ? [new MemorySaver()] : savers).map((saver) =>
    graphOn(
      saver,
      (files) => interrupt({ question: PROMPT, files }),
      (_files, threadId) => effects.get(threadId)?.(),
    ),
  )
  return {
    name: NAME,
    version: versionOf(NAME),
    store: (kept === 'memory' ? 'memory' : `PostgreSQL, ${durability}`) + (nodes > 1 ? `, ${nodes} nodes` : ''),
    note: 'that a second run of a thread waits or is refused is done by its deployment platform, not by the library',
    async ask(effect) {
      const config = { configurable: { thread_id: crypto.randomUUID() } }
      effects.set(config.configurable.thread_id, effect)
      const asked = await graphs[0]!.invoke({ files: FILES }, { ...config, durability })
      if (!('__interrupt__' in asked)) throw new Error('LangGraph did not ask')
      return async (tab) => await graphs[tab % nodes]!.invoke(new Command({ resume: true }), { ...config, durability })
    },
    async close() {
      for (const saver of savers) await saver.end()
      if (kept !== 'memory') await dropSchema(kept)
    },
  }
}

/**
 * The same graph with Holdpoint. LangGraph may run a node more than once, so the effect is a tool, as our guide says. Its
 * checkpoints stay in PostgreSQL; the questions are where Holdpoint keeps them.
 */
export async function holdpointLangGraphPeer(
  place: Place,
  checkpoints: { url: string; schema: string },
  durability: Durability,
): Promise<ResumePeer> {
  const effects = new Map<string, () => void>()
  const { holdpoint, expecting, commits, close } = bridged(place)
  const saver = PostgresSaver.fromConnString(checkpoints.url, { schema: checkpoints.schema })
  await saver.setup()
  const deleteFiles = holdpoint.tool({
    name: 'delete_files',
    input: z.object({ files: z.array(z.string()) }),
    execute: async (_input, { sessionId }) => effects.get(sessionId)?.(),
  })
  const sessionOf = (threadId: string) => holdpoint.session(threadId, { userId: 'ada' })
  const graph = graphOn(
    saver,
    async (files, threadId) => {
      const call = { runId: 'turn-1', toolCallId: 'approval', toolName: 'approval' }
      const ask = (ctx: ToolContext) => ctx.approve({ prompt: PROMPT, args: { files } })
      return await holdpointInterrupt(holdpoint, sessionOf(threadId), call, ask)
    },
    (files, threadId) => sessionOf(threadId).runTool(deleteFiles, { files }, { runId: 'turn-1', toolCallId: 'call-1' }),
  )
  return {
    name: `Holdpoint with ${NAME} ${versionOf(NAME)}`,
    bridges: NAME,
    besides: `PostgreSQL, ${durability}`,
    store: `${nameOf(place)}, with PostgreSQL, ${durability}`,
    commits,
    async ask(effect) {
      const id = crypto.randomUUID()
      const config = { configurable: { thread_id: id } }
      effects.set(id, effect)
      const answer = await expecting(id, () => graph.invoke({ files: FILES }, { ...config, durability }))
      return async (tab) => {
        const counts = await answer(tab)
        await graph.invoke(new Command({ resume: true }), { ...config, durability })
        counts()
      }
    },
    async close() {
      await saver.end()
      await dropSchema(checkpoints)
      await close()
    },
  }
}
