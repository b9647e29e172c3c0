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
import { versionOf } from '../../support/report.ts'
import { FILES, PROMPT, type ResumePeer } from './peer.ts'

const State = Annotation.Root({ files: Annotation<string[]>(), deleted: Annotation<number>() })

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
  { nodes = 1, durability = 'async' }: { nodes?: number; durability?: 'async' | 'sync' } = {},
): Promise<ResumePeer> {
  const effects = new Map<string, () => void>()
  const savers =
    kept === 'memory'
      ? []
      : Array.from({ length: nodes }, () => PostgresSaver.fromConnString(kept.url, { schema: kept.schema }))
  await savers[0]?.setup()
  const graphOn = (checkpointer: BaseCheckpointSaver) =>
    new StateGraph(State)
      .addNode('approval', ({ files }) => new Command({ goto: interrupt({ question: PROMPT, files }) ? 'act' : END }), {
        ends: ['act', END],
      })
      .addNode('act', ({ files }, { configurable }) => {
        effects.get(String(configurable?.thread_id))?.()
        return { deleted: files.length }
      })
      .addEdge(START, 'approval')
      .addEdge('act', END)
      .compile({ checkpointer })
  const graphs = kept === 'memory' ? [graphOn(new MemorySaver())] : savers.map(graphOn)
  return {
    name: '@langchain/langgraph',
    version: versionOf('@langchain/langgraph'),
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
      if (kept === 'memory') return
      const client = new pg.Client(kept.url)
      await client.connect()
      await client.query(`DROP SCHEMA IF EXISTS ${kept.schema} CASCADE`)
      await client.end()
    },
  }
}
