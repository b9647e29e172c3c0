/** The frameworks and protocols of this page, in the order of its columns. */
export const bridges = {
  'ai-sdk': 'AI SDK',
  langchain: 'LangChain',
  'openai-agents': 'OpenAI Agents',
  mcp: 'MCP server',
  acp: 'Agent Client Protocol',
} as const

export type BridgeName = keyof typeof bridges

/**
 * The session in which a framework asks. The turn of LangChain's middleware declines what waits in its session from
 * earlier turns, so it has one of its own. The others share one, so that the page needs fewer connections.
 */
export const sessionOf = (page: string, bridge: BridgeName) => (bridge === 'langchain' ? `${page}-langchain` : page)

const PREFIX = 'bridges-'

export const newPage = (userId: string) => `${PREFIX}${userId}-${crypto.randomUUID().slice(0, 8)}`

export const isOfPage = (sessionId: string) => sessionId.startsWith(PREFIX)

export const pageOf = (sessionId: string) => sessionId.replace(/-langchain$/, '')

/** The questions that each of them asks, in the order of the rows. */
export const questions = {
  delete_files: 'An approval',
  archive_files: 'A form',
  tag_files: 'A choice',
} as const

export type QuestionName = keyof typeof questions
