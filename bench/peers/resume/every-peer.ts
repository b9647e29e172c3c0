import { databases } from '../../support/stores.ts'
import { acpPeer, holdpointAcpPeer } from './acp.ts'
import { aiSdkPeer } from './ai-sdk.ts'
import { claudeAgentPeer, holdpointClaudeAgentPeer } from './claude-agent.ts'
import { holdpointPeer } from './holdpoint.ts'
import { holdpointAiSdkPeer } from './holdpoint-ai-sdk.ts'
import { holdpointMcpPeer } from './holdpoint-mcp.ts'
import { holdpointOpenAiAgentsPeer } from './holdpoint-openai-agents.ts'
import { holdpointLangChainPeer, langChainPeer } from './langchain.ts'
import { holdpointLangGraphPeer, langGraphPeer } from './langgraph.ts'
import { mastraAgentPeer } from './mastra-agent.ts'
import { holdpointMastraMcpPeer, mastraMcpPeer } from './mastra-mcp.ts'
import { mastraWorkflowPeer } from './mastra-workflow.ts'
import { mcpPushPeer } from './mcp-push.ts'
import { mcpRetryPeer } from './mcp-retry.ts'
import { openAiAgentsPeer } from './openai-agents.ts'
import type { EveryPeer, Kept, LeftOut, ResumePeer } from './peer.ts'

export { loadedPeers } from './loaded-peers.ts'

export const LEFT_OUT: readonly LeftOut[] = [
  {
    name: '@langchain/langgraph, later than 1.4.17',
    why: 'it needs versions of its own packages that the registry did not have in November 2026',
  },
  {
    name: '@langchain/langgraph-checkpoint-sqlite',
    why: 'it compiles C++ when it is installed; PostgreSQL stands for it',
  },
  { name: '@modelcontextprotocol/sdk 1', why: 'in maintenance; /server and /client 2 speak both of its eras' },
]

export const everyPeer: EveryPeer = async (nodes) => {
  const stores = await databases()
  const sqlite = () => stores.get('sqlite')?.make() ?? { kind: 'memory' as const }
  const postgres = stores.get('postgres')
  const peers = new Map<ResumePeer, Kept>()
  if (nodes === 1) {
    peers.set(holdpointPeer({ kind: 'memory' }), 'process')
    peers.set(holdpointAiSdkPeer({ kind: 'memory' }), 'process')
    peers.set(aiSdkPeer(), 'process')
    peers.set(openAiAgentsPeer('object'), 'process')
    peers.set(openAiAgentsPeer('text'), 'process')
    peers.set(mastraAgentPeer('memory'), 'process')
    peers.set(mastraWorkflowPeer('memory'), 'process')
    peers.set(await langGraphPeer('memory'), 'process')
    peers.set(langChainPeer(), 'process')
    peers.set(await mcpPushPeer(), 'process')
    peers.set(await mcpRetryPeer(), 'process')
    peers.set(await mastraMcpPeer(), 'process')
    peers.set(await acpPeer(), 'process')
    peers.set(claudeAgentPeer(), 'process')
    peers.set(holdpointPeer(sqlite()), 'file')
    peers.set(holdpointAiSdkPeer(sqlite()), 'file')
    peers.set(holdpointLangChainPeer(sqlite()), 'file')
    peers.set(holdpointOpenAiAgentsPeer(sqlite()), 'file')
    peers.set(await holdpointMcpPeer(sqlite()), 'file')
    peers.set(await holdpointMastraMcpPeer(sqlite()), 'file')
    peers.set(await holdpointAcpPeer(sqlite()), 'file')
    peers.set(holdpointClaudeAgentPeer(sqlite()), 'file')
  }
  peers.set(mastraAgentPeer('libsql', nodes), 'file')
  peers.set(mastraWorkflowPeer('libsql', nodes), 'file')
  if (postgres) {
    peers.set(holdpointPeer(postgres.make(), nodes), 'server')
    for (const durability of ['async', 'sync'] as const) {
      const place = postgres.make()
      if (place.kind === 'postgres') peers.set(await langGraphPeer(place, { nodes, durability }), 'server')
    }
    const checkpoints = postgres.make()
    if (nodes === 1 && checkpoints.kind === 'postgres') {
      peers.set(await holdpointLangGraphPeer(sqlite(), checkpoints, 'sync'), 'file')
    }
  }
  return {
    peers,
    async close() {
      for (const peer of peers.keys()) await peer.close?.()
      for (const places of stores.values()) await places.dispose()
    },
  }
}
