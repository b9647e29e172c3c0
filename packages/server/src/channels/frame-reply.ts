import type { Answer } from '../http/answers/http-answer.ts'

/** Returns the response to the frame with this id. An unreadable frame has no id. */
export function frameReply(id: string | undefined, { status, body }: Pick<Answer, 'status' | 'body'>): string {
  return `{"id":${JSON.stringify(id ?? '')},"status":${status},"body":${body || 'null'}}`
}
