import { type Options, query } from '@anthropic-ai/claude-agent-sdk'
import type { Holdpoint } from '@holdpoint/server'
import { type ClaudeAgentOptions, claudeAgent } from '@holdpoint/server/claude-agent-sdk'

/** One process of a turn: begins with a prompt, or resumes the turn that stopped at a question. */
export async function turn(
  holdpoint: Holdpoint,
  { sessionId, userId, runId }: ClaudeAgentOptions,
  prompt?: string,
  options: Options = {},
): Promise<string | undefined> {
  const hp = claudeAgent(holdpoint, { sessionId, userId, runId, defer: ['Bash', 'AskUserQuestion'], editable: true })
  const resume = await hp.resumes()
  if (prompt === undefined && resume === undefined) return undefined // a notice of another kind of run
  const messages = query({ prompt: prompt ?? '', options: { ...options, ...hp.options, ...(resume && { resume }) } })
  for await (const message of messages) {
    if (await hp.waits(message)) return undefined // a person was asked, and this process may end
    if (message.type === 'result' && message.subtype === 'success') return message.result
  }
  return undefined
}
