export { isToolNotRun, type ToolNotRun } from '../handlers/tool-not-run.ts'
export { type AiSdk, aiSdk } from './ai-sdk.ts'
export { holdpointTool } from './holdpoint-tool.ts'
export { registerTools } from './register-tools.ts'
