import { escapeToOneLine } from '@holdpoint/core/internal'
import type { ToolContext } from '../../engine/api/tool-context.ts'
import type { Permission } from '../handlers/permission.ts'
import { sentences } from '../handlers/tool-not-run.ts'

/** The tool with which Claude asks its user one to four questions. */
const ASK_USER = 'AskUserQuestion'

interface UserQuestion {
  question: string
  header?: string
  options: { label: string; description?: string }[]
  multiSelect?: boolean
}

/** Asks the questions of the tool as one form. Each question also accepts a free text. */
export async function askUser(
  ctx: ToolContext,
  input: Record<string, unknown>,
  timeoutMs: number | undefined,
): Promise<Permission> {
  const questions = questionsOf(input)
  const fields = questions.map(({ question, options, multiSelect }, n) => ({
    id: `q${n + 1}`,
    label: escapeToOneLine(question),
    type: multiSelect ? ('multiselect' as const) : ('radio' as const),
    required: true,
    other: true,
    options: options.map(({ label, description }) => ({
      value: label,
      label: escapeToOneLine(label),
      ...(description !== undefined && { description: escapeToOneLine(description) }),
    })),
  }))
  const prompt = questions.length === 1 ? 'Claude has a question' : `Claude has ${questions.length} questions`
  const answer = await ctx.tryAsk({ prompt, fields, ...(timeoutMs !== undefined && { timeoutMs }) })
  if (answer.outcome !== 'submitted') {
    return { decision: 'deny', outcome: answer.outcome, message: answer.reason ?? sentences[answer.outcome] }
  }
  const given = answer.input as Record<string, string | string[]>
  const answers = Object.fromEntries(
    questions.map(({ question }, n) => [question, [given[`q${n + 1}`] ?? []].flat().join(', ')]),
  )
  return { decision: 'allow', input: { ...input, answers }, edited: true, suggestions: [] }
}

/** Returns whether a form can show the input. Otherwise the card shows it as arguments. */
export function isUserQuestion(toolName: string, input: Record<string, unknown>): boolean {
  return toolName === ASK_USER && questionsOf(input).length > 0
}

function questionsOf({ questions }: Record<string, unknown>): UserQuestion[] {
  const all = Array.isArray(questions) ? questions : []
  return all.every(isQuestion) ? all : []
}

function isQuestion(value: unknown): value is UserQuestion {
  if (typeof value !== 'object' || value === null) return false
  const { question, options } = value as Partial<UserQuestion>
  const hasOptions = Array.isArray(options) && options.length > 0
  return typeof question === 'string' && hasOptions && options.every((one) => typeof one?.label === 'string')
}
