/** A page of one origin: asks first, as a browser does, and sees only what it may see. */
export function pageAt(origin: string) {
  return async (
    url: string,
    init: { method?: string; headers?: Record<string, string>; body?: string; signal?: AbortSignal } = {},
  ) => {
    const asked = Object.keys(init.headers ?? {}).map((name) => name.toLowerCase())
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': init.method ?? 'GET',
        'access-control-request-headers': asked.join(', '),
      },
    })
    await preflight.arrayBuffer()
    const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').split(/, */)
    const methods = (preflight.headers.get('access-control-allow-methods') ?? '').split(/, */)
    const blocked =
      !preflight.ok ||
      preflight.headers.get('access-control-allow-origin') !== origin ||
      !methods.includes(init.method ?? 'GET') ||
      !asked.every((name) => allowed.includes(name))
    if (blocked) throw new TypeError('blocked by CORS: the preflight does not allow it')
    const response = await fetch(url, { ...init, headers: { ...init.headers, origin } })
    if (response.headers.get('access-control-allow-origin') !== origin) {
      await response.body?.cancel()
      throw new TypeError('blocked by CORS: the answer is not for this origin')
    }
    return response
  }
}

export interface Frame {
  cursor: string
  part: { type: string; [field: string]: unknown }
}

/** The frames of a stream as they come; refuses what does not say that it is one. */
export async function* framesOf(response: Response): AsyncGenerator<Frame> {
  const type = response.headers.get('content-type') ?? ''
  if (response.status !== 200 || !type.startsWith('text/event-stream')) {
    throw new Error(`no stream: ${response.status} ${type} ${await response.text()}`)
  }
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const data = field('data')
      if (data !== undefined) yield { cursor: field('id') ?? '', part: JSON.parse(data) as Frame['part'] }
    }
  }
}

export async function allFrames(response: Response): Promise<Frame[]> {
  const frames: Frame[] = []
  for await (const frame of framesOf(response)) frames.push(frame)
  return frames
}
