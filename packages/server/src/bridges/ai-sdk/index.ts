export { type AiSdk, aiSdk } from './ai-sdk.ts'
export { type HoldpointToolDefinition, holdpointTool } from './holdpoint-tool.ts'
export { registerTools } from './register-tools.ts'
export { isNotDone, type NotDone } from './stream/not-done.ts'
