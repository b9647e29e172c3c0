export { isNotDone } from '../handlers/not-done.ts'
export { agentTool } from './agent-tool.ts'
export { type OpenAiAgents, type OpenAiAgentsOptions, openAiAgents } from './openai-agents.ts'
