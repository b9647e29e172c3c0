export { type DurableCallOptions, durableCall, type McpCall, type McpCaller } from './durable-call.ts'
export { elicitation } from './elicitation.ts'
