import { databases } from '../../support/stores.ts'
import { aiSdkPeer } from './ai-sdk.ts'
import { holdpointPeer } from './holdpoint.ts'
import { langGraphPeer } from './langgraph.ts'
import { mastraWorkflowPeer } from './mastra-workflow.ts'
import { mcpPushPeer } from './mcp-push.ts'
import { openAiAgentsPeer } from './openai-agents.ts'
import type { Kept, LoadedPeer } from './peer.ts'

/**
 * The peers that can be driven with many questions at once in one process, with short names for a plot. "Redis" is
 * Holdpoint on it.
 */
export async function loadedPeers(): Promise<{ peers: LoadedPeer[]; close(): Promise<void> }> {
  const stores = await databases()
  const peers: LoadedPeer[] = []
  const add = (name: string, kept: Kept, peer: LoadedPeer['peer']) => void peers.push({ name, kept, peer })
  const apart = { apart: true }
  add('Holdpoint', 'process', holdpointPeer({ kind: 'memory' }, 1, apart))
  add('MCP push', 'process', await mcpPushPeer())
  add('AI SDK', 'process', aiSdkPeer())
  add('Mastra', 'process', mastraWorkflowPeer('memory'))
  add('LangGraph', 'process', await langGraphPeer('memory'))
  add('OpenAI Agents', 'process', openAiAgentsPeer('object'))
  const [sqlite, postgres, redis] = (['sqlite', 'postgres', 'redis'] as const).map((kind) => stores.get(kind))
  if (sqlite) add('Holdpoint', 'file', holdpointPeer(sqlite.make(), 1, apart))
  add('Mastra', 'file', mastraWorkflowPeer('libsql'))
  if (postgres) {
    add('Holdpoint', 'server', holdpointPeer(postgres.make(), 1, apart))
    const place = postgres.make()
    if (place.kind === 'postgres') add('LangGraph', 'server', await langGraphPeer(place, { durability: 'async' }))
  }
  if (redis) add('Redis', 'server', holdpointPeer(redis.make(), 1, apart))
  return {
    peers,
    async close() {
      for (const { peer } of peers) await peer.close?.()
      for (const places of stores.values()) await places.dispose()
    },
  }
}
