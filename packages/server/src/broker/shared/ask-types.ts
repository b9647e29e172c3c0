import type { Principal } from '../../base/principal.ts'

/** One message of an earlier exchange, so that an assistant in interactive mode has the context. */
export interface AskTurn {
  role: 'user' | 'assistant'
  content: string
}

/** The input of your `ask` handler, when a command-line tool sends a prompt to your assistant. */
export interface AskInput {
  principal: Principal
  prompt: string
  context: Record<string, unknown>
  /** The turns before this one, oldest first; empty outside interactive mode. */
  history: readonly AskTurn[]
  mode: 'one_shot' | 'confirmed' | 'interactive'
  signal?: AbortSignal
}

/**
 * Your agent behind `POST /ask`.
 *
 * @example
 * ask: async ({ prompt, history, principal }) => ({ message: await agent.run(principal.userId, [...history, { role: 'user', content: prompt }]) })
 */
export type AskHandler = (input: AskInput) => Promise<{ message: string; data?: unknown }>
