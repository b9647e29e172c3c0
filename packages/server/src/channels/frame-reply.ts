import type { HttpResponse } from '../http/responses/http-response.ts'

/** Returns the response to the frame with this id. An unreadable frame has no id. */
export function frameReply(id: string | undefined, { status, body }: Pick<HttpResponse, 'status' | 'body'>): string {
  return `{"id":${JSON.stringify(id ?? '')},"status":${status},"body":${body || 'null'}}`
}
