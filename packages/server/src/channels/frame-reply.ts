import type { Answer } from '../http/answers/http-answer.ts'

/** The answer to the frame with this id. What could not be read has no id to answer under. */
export function frameReply(id: string | undefined, { status, body }: Pick<Answer, 'status' | 'body'>): string {
  return `{"id":${JSON.stringify(id ?? '')},"status":${status},"body":${body || 'null'}}`
}
