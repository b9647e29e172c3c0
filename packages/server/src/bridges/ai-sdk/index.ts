export { isNotDone, type NotDone } from '../handlers/not-done.ts'
export { type AiSdk, aiSdk } from './ai-sdk.ts'
export { holdpointTool } from './holdpoint-tool.ts'
export { registerTools } from './register-tools.ts'
