import type { SettledNotice } from '../../engine/api/deliveries.ts'

/** Returns the pointer that the bridge stores with each question: the thread that stopped at it. */
export const wakeOf = (threadId: string) => ({ langchain: { thread_id: threadId } })

/**
 * Returns the configuration that resumes the thread of a settled question, or undefined if no thread stopped at it.
 * Resume with `null` as the input: the tool calls that stopped run again and read their answers from the store.
 *
 * @example
 * createHoldpoint({
 *   hooks: {
 *     onSettled: async (notice) => {
 *       const thread = threadConfigOf(notice)
 *       if (thread) await agent.invoke(null, thread)
 *     },
 *   },
 * })
 */
export function threadConfigOf({
  wake,
}: Pick<SettledNotice, 'wake'>): { configurable: { thread_id: string } } | undefined {
  const pointer = isObject(wake) ? wake.langchain : undefined
  const thread = isObject(pointer) ? pointer.thread_id : undefined
  return typeof thread === 'string' ? { configurable: { thread_id: thread } } : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
