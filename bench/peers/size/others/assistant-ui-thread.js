/** The same with the parts that its documents build a chat of. */
export {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  useAssistantToolUI,
  useLocalRuntime,
} from '@assistant-ui/react'
