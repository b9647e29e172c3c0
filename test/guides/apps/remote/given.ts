type Handle = (request: Request) => Promise<Response>

/** Both servers of the guide run in this process. */
export const servers = new Map<string, Handle>()

/** Stands for the network between them: an address leads to the server that the guide puts there. */
export async function overTheNetwork(
  url: string | URL,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: HeadersInit; body?: BodyInit | null } = {},
): Promise<Response> {
  const handle = servers.get(new URL(url).host)
  if (!handle) throw new Error(`There is no server at ${url}.`)
  return await handle(new Request(url, { method, headers, ...(body != null && { body }) }))
}

export async function userOf(request: Request) {
  const userId = /user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
  return userId ? { userId } : null
}
export async function mayUse(userId: string, sessionId: string) {
  return userId === 'ada' && sessionId === 'task-42'
}
