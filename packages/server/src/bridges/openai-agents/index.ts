export { isToolNotRun } from '../handlers/tool-not-run.ts'
export { agentTool } from './agent-tool.ts'
export { type OpenAiAgents, type OpenAiAgentsOptions, openAiAgents } from './openai-agents.ts'
