/** A tool call as a card needs it. */
export interface ParsedCall {
  toolName: string
  args: unknown
}

type Shape = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads a tool call in the shapes that model providers and frameworks write: `{ name, arguments }` with arguments as an
 * object or as text, `{ toolName, input }`, and the same inside of `function`, `params` or `tool_calls`.
 */
export function parseToolCall(text: string): ParsedCall | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : error}`
  }
  return find(value) ?? 'There is no tool call in it. Write an object with "name" and "arguments".'
}

function find(value: unknown): ParsedCall | undefined {
  if (Array.isArray(value)) return first(value)
  if (!isObject(value)) return undefined
  const name = value.name ?? value.toolName ?? value.tool
  const args = value.arguments ?? value.args ?? value.input ?? value.parameters
  if (typeof name === 'string' && args !== undefined) return { toolName: name, args: objectOf(args) }
  return first([value.function, value.params, value.tool_calls, value.toolCalls, value.content, value.message])
}

function first(values: readonly unknown[]): ParsedCall | undefined {
  for (const value of values) {
    const found = find(value)
    if (found) return found
  }
  return undefined
}

/** Some providers send the arguments as JSON text. */
function objectOf(args: unknown): unknown {
  if (typeof args !== 'string') return args
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}
