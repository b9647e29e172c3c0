import { interopSafeParseAsync, isInteropZodSchema } from '@langchain/core/utils/types'
import { isGraphInterrupt } from '@langchain/langgraph'
import type { ToolCallHandler, ToolCallRequest } from 'langchain'
import { digestOf } from '../../base/canonical-json.ts'
import type { ApproveOptions, ArgsSchema } from '../../engine/api/questions.ts'
import type { Tool } from '../../engine/api/tool.ts'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import { failure, type Questions, type RunnableTool, asTool as runnable, settle } from '../handlers/settle.ts'
import { definitionOf, GIVEN } from './langchain-tool.ts'
import { type Recorded, recordOf } from './record.ts'

/** Decides for a tool of LangChain whether it needs an approval. `true` asks for the whole input. */
export type ApproveRule = true | ((input: never) => ApproveOptions<never> | false | undefined)

/** A tool call that needs a person, as the bridge runs it. */
export type GatedTool = RunnableTool<Recorded>

/** Returns undefined for a tool that asks nothing. */
export function gatedTool(
  request: ToolCallRequest,
  handler: ToolCallHandler,
  rules: Readonly<Record<string, ApproveRule>>,
): GatedTool | undefined {
  const { name } = request.toolCall
  const definition = definitionOf(request.tool)
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  const approve = definition?.approve ?? (rule === true ? () => ({}) : rule)
  if (!definition && !approve) return undefined
  const schema = schemaOf(request.tool)
  const before = definition?.before
  const questions = { schema, ...(approve && { approve }), ...(before && { before }) } as Questions
  return {
    name,
    ...(schema && { schema }),
    settle: (input, ctx) => settle(questions, input, ctx),
    async execute(args, ctx, before) {
      const toolCall = { ...request.toolCall, args: args as Record<string, unknown> }
      return recordOf(await handler({ ...request, toolCall, tool: passing(request.tool, { ctx, before }) }))
    },
  }
}

/** Returns the tool in the form that `runTool` takes: first its questions, then LangChain's own handler. */
export function asTool(tool: GatedTool): Tool<unknown, Recorded> {
  return runnable(tool, (error) => (isGraphInterrupt(error) ? failure(error, interrupts(tool.name)) : failure(error)))
}

const interrupts = (name: string) =>
  `${name} called interrupt() of LangGraph. A tool that Holdpoint runs asks in "before" or with its context.`

/** Returns the same tool with the context of its call. Only the call's own signal aborts it. */
function passing(tool: ToolCallRequest['tool'], given: { ctx: ToolContext; before: unknown }): ToolCallRequest['tool'] {
  const invokable = tool as { invoke(call: unknown, config: { configurable?: object }): Promise<unknown> }
  const { name } = tool as { name: string }
  return {
    name,
    invoke: (call: unknown, config: { configurable?: object }) =>
      invokable.invoke(call, {
        ...config,
        signal: given.ctx.signal,
        configurable: { ...config.configurable, [GIVEN]: given },
      } as never),
  } as unknown as ToolCallRequest['tool']
}

/**
 * Parses the input with the tool's schema, including defaults, so that the person sees what will run. If the schema
 * would parse its own output differently, the input stays as the model wrote it. Returns undefined if the schema
 * rejects the input.
 */
export async function inputOf(tool: GatedTool, args: unknown): Promise<{ input: unknown } | undefined> {
  if (!tool.schema) return { input: args }
  const read = await tool.schema.safeParseAsync(args)
  if (!read.success) return undefined
  const again = await tool.schema.safeParseAsync(read.data)
  const stable = again.success && sameJson(again.data, read.data)
  return { input: stable ? read.data : args }
}

function sameJson(one: unknown, other: unknown): boolean {
  try {
    return digestOf(one) === digestOf(other)
  } catch {
    return false
  }
}

function schemaOf(tool: ToolCallRequest['tool']): ArgsSchema<unknown> | undefined {
  const schema = tool && 'schema' in tool ? tool.schema : undefined
  if (!isInteropZodSchema(schema)) return undefined
  return { safeParseAsync: async (value) => (await interopSafeParseAsync(schema, value)) as never }
}
