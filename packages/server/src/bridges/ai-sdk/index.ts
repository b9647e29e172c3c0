export { type AiSdk, type AiSdkOptions, aiSdk } from './ai-sdk.ts'
export type { QuestionDescriptor } from './descriptor.ts'
export { type AiToolContext, type HoldpointToolDefinition, holdpointTool } from './holdpoint-tool.ts'
export { isNotDone, type NotDone } from './not-done.ts'
