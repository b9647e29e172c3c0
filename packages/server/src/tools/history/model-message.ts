/** Messages in the format of the AI SDK's `ModelMessage`, without a dependency on its types. */
export type ModelMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: (TextPart | ToolCallPart)[] }
  | { role: 'tool'; content: ToolResultPart[] }

export interface TextPart {
  type: 'text'
  text: string
}

export interface ToolCallPart {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: unknown
}

export interface ToolResultPart {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: ToolOutput
}

export type JsonValue = null | string | number | boolean | JsonValue[] | { [key: string]: JsonValue | undefined }

/** The text that a model reads as the result of a call, also for a rejected or failed call. */
export type ToolOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'json'; value: JsonValue }
  | { type: 'execution-denied'; reason?: string }
