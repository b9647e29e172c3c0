/** One server-sent event: its id, its name (`message` if it has none) and its data as JSON. */
export interface SentEvent {
  id: string
  name: string
  data: unknown
}

/** Reads so many events of a stream, and leaves it. */
export async function readEvents(response: Response, count: number): Promise<SentEvent[]> {
  const events: SentEvent[] = []
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return events
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  while (events.length < count) {
    const { done, value } = await reader.read()
    if (done) break
    const blocks = `${rest}${decoder.decode(value, { stream: true })}`.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventOf(block)
      if (event && events.length < count) events.push(event)
    }
  }
  await reader.cancel().catch(() => {})
  return events
}

function eventOf(block: string): SentEvent | null {
  const fields = new Map(
    block
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
  )
  const data = fields.get('data')
  if (data === undefined) return null
  return { id: fields.get('id') ?? '', name: fields.get('event') ?? 'message', data: JSON.parse(data) }
}
