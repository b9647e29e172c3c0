/** The Slack client: a `WebClient` of `@slack/web-api`, created with `rejectRateLimitedCalls: true`. */
export interface SlackClient {
  apiCall(method: string, options?: Record<string, unknown>): Promise<object>
}

/** Calls a method of Slack. Converts Slack's delay in seconds to `retryAfterMs` for deliveries. */
export async function call<T>(client: SlackClient, method: string, options: Record<string, unknown>): Promise<T> {
  try {
    return (await client.apiCall(method, options)) as T
  } catch (error) {
    const { retryAfter } = (error ?? {}) as { retryAfter?: unknown }
    if (typeof retryAfter !== 'number') throw error
    throw Object.assign(new Error(`Slack asks to wait before ${method}.`, { cause: error }), {
      retryAfterMs: retryAfter * 1_000,
    })
  }
}
