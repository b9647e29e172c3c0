/** A runtime, and a tool's own interface; what is drawn is the application's. */
export { AssistantRuntimeProvider, useAssistantToolUI, useLocalRuntime } from '@assistant-ui/react'
