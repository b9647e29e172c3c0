import { testClock } from '@holdpoint/server/testing'

export const clock = testClock()
export const { environment } = clock

/** Requests that the push service received. */
export const pushed: { url: string; headers: Record<string, string> }[] = []
export async function toBrowsers(url: string | URL, init: RequestInit = {}): Promise<Response> {
  pushed.push({ url: String(url), headers: Object.fromEntries(new Headers(init.headers)) })
  return new Response(null, { status: 201 })
}
