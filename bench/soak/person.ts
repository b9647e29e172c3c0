import {
  createHoldpointClient,
  type HoldpointClient,
  type Interaction,
  longPoll,
  type RespondResult,
  sse,
  type Transport,
  websocket,
} from '@holdpoint/core'
import { browserEnvironment } from '@holdpoint/core/internal'
import { parseCursor } from '@holdpoint/core/wire'
import { Balancer } from './balanced.ts'
import { digestOf } from './history.ts'
import { type ClientNote, readPrompt } from './messages.ts'
import { oneOf, seededBy } from './seeded.ts'

export interface PersonSetup {
  sessionId: string
  userId: string
  /** Which of the session's people: the first one answers everything in the end, the others when they like. */
  index: number
  seed: number
  urls: readonly string[]
  note: (line: ClientNote) => void
}

const TRANSPORTS = ['sse', 'longPoll', 'websocket'] as const
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A person with a session in a tab, who answers, answers twice, reloads, leaves and returns, or reads slowly. */
export class Person {
  private readonly setup: PersonSetup
  private readonly clientId: string
  private readonly random: () => number
  private readonly balancer: Balancer
  private client!: HoldpointClient
  private life = ''
  private lives = 0
  /** The session was there once. */
  private found = false
  private gone = false
  private settled = false
  private restless: NodeJS.Timeout | undefined

  constructor(setup: PersonSetup) {
    this.setup = setup
    this.clientId = `${setup.sessionId}-${setup.index}`
    this.random = seededBy(setup.seed, this.clientId)
    this.balancer = new Balancer(setup.urls, Math.floor(this.random() * setup.urls.length))
    this.load()
    this.fidget()
  }

  /** Reads on to the end of the log, says what it knows, and goes. */
  async retire(head: number, patienceMs: number): Promise<void> {
    this.settled = true
    clearTimeout(this.restless)
    this.client.connect()
    const { note, sessionId } = this.setup
    for (const end = Date.now() + patienceMs; !this.gone; await sleep(50)) {
      const cursor = this.client.getSnapshot().cursor ?? ''
      if ((parseCursor(cursor)?.seq ?? -1) >= head) {
        const { interactions } = this.client.getSnapshot()
        const known = [...interactions.values()].map(({ interactionId, status }) => [interactionId, status] as const)
        note(['end', sessionId, this.life, cursor, Object.fromEntries(known)])
        break
      }
      if (Date.now() < end) continue
      note(['stuck', sessionId, this.life, cursor, head])
      break
    }
    this.gone = true
    this.client.close()
  }

  /** A page is loaded: a new client, which knows nothing of the one before. */
  private load(): void {
    const { sessionId, note } = this.setup
    this.life = `${this.clientId}#${++this.lives}`
    const { life, random } = this
    const transport = this.watched(oneOf(TRANSPORTS, random()), random() < 0.2)
    const history = random() < 0.5 ? 'log' : 'snapshot'
    note(['life', sessionId, life, transport.name, history])
    const client = createHoldpointClient({
      ...{ sessionId, transport, history, clientId: this.clientId },
      ...{ heartbeatTimeoutMs: 4_000, maxRetryDelayMs: 2_000, sendTimeoutMs: 5_000 },
      environment: { ...browserEnvironment(), random },
      // Agents may be late in a store that is away. A session that was there has to be found.
      onProblem: ({ code }) =>
        (code !== 'not_found' || this.found) && note(['odd', sessionId, this.clientId, '', `problem ${code}`]),
    })
    this.client = client
    const seen = new Set<string>()
    client.onEvent((event, cursor) => {
      this.found = true
      note(['event', sessionId, life, cursor, digestOf(event)])
    })
    client.subscribe(() => {
      const { pendingIds, interactions } = client.getSnapshot()
      for (const id of pendingIds) {
        const interaction = interactions.get(id)
        if (!interaction || seen.has(id)) continue
        seen.add(id)
        void this.deal(client, interaction)
      }
    }, 'pending')
  }

  private watched(name: (typeof TRANSPORTS)[number], slow: boolean): Transport {
    const { sessionId, userId, note } = this.setup
    const { life } = this
    const onFound = () => {
      this.found = true
    }
    const headers = { authorization: `Bearer ${userId}` }
    const options = { url: 'http://soak/holdpoint', headers, fetch: this.balancer.fetch(slow && name === 'sse') }
    const made = {
      sse: () => sse(options),
      longPoll: () => longPoll({ ...options, waitSeconds: 5 }),
      websocket: () => websocket({ ...options, WebSocket: this.balancer.webSocket() }),
    }
    const inner = made[name]()
    return {
      ...inner,
      async snapshot(context, signal) {
        const result = await inner.snapshot(context, signal)
        const { cursor } = (result.body ?? {}) as { cursor?: string }
        if (result.status === 200) {
          onFound()
          note(['snapshot', sessionId, life, `${cursor}`])
        }
        return result
      },
      connect: (context, cursor, listener) =>
        inner.connect(context, cursor, {
          ...listener,
          reset(reason) {
            note(['reset', sessionId, life, reason])
            listener.reset(reason)
          },
        }),
    }
  }

  /** Thinks about a question, and answers it or does not. */
  private async deal(client: HoldpointClient, { interactionId, request, kind }: Interaction): Promise<void> {
    const { index, seed, note, sessionId } = this.setup
    // After a reload the same person may think otherwise.
    const random = seededBy(seed, `${this.life} ${interactionId}`)
    const about = readPrompt('prompt' in request ? `${request.prompt}` : '')
    const first = index === 0
    const diligent = first && !['short', 'expire'].includes(about.kind)
    if (!diligent && random() < 0.5) return
    // Those that wait shortly are sometimes answered in time; late ones sometimes after it.
    await sleep(random() * (about.kind === 'late' ? 1_500 : 700))
    if (this.client !== client || this.gone) return
    if (about.kind === 'cancelled' && first) {
      const runId = request.runId ?? ''
      await client.cancelRun(runId).then(
        () => note(['cancelled', sessionId, this.clientId, runId]),
        // Said again with the next load, should it have got lost.
        () => {},
      )
    }
    const action = kind === 'input' ? (random() < 0.8 ? 'submit' : 'decline') : random() < 0.8 ? 'approve' : 'deny'
    const answer = {
      action,
      ...(action === 'submit' && { input: { value: `v${Math.floor(random() * 100)}` } }),
    } as const
    if (random() < 0.15)
      void this.answerBesides(interactionId, request.toolCallId, kind === 'input' ? 'decline' : 'deny')
    let result = await client.respond(interactionId, answer)
    while (result.status === 'not_sent' && this.client === client && !this.gone) {
      await sleep(200)
      // The same answer, which a client knows again; `retry` has nothing where it was closed meanwhile.
      result = await client.respond(interactionId, answer)
    }
    this.tell(interactionId, action, result)
  }

  private tell(interactionId: string, action: string, result: RespondResult): void {
    const { note, sessionId } = this.setup
    if (result.status === 'accepted') note(['accepted', sessionId, this.clientId, interactionId, action])
    else if (result.status === 'already_answered')
      note(['lost', sessionId, this.clientId, interactionId, result.respondedBy?.clientId ?? ''])
    else if (['invalid', 'unknown', 'forbidden', 'not_interactive'].includes(result.status))
      note(['odd', sessionId, this.life, interactionId, result.status])
  }

  /** The same person once more, with something without a client: a link in a mail, a script. */
  private async answerBesides(interactionId: string, callId: string, action: string): Promise<void> {
    const { sessionId, userId, note } = this.setup
    const clientId = `${this.clientId}~mail`
    const answerId = `${clientId}-${this.life}-${interactionId}`
    const response = await this.balancer
      .fetch(false)(`http://soak/holdpoint/sessions/${sessionId}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${userId}`, 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'tool_interaction_response', clientId, callId, interactionId, answerId, action }),
        signal: AbortSignal.timeout(5_000),
      })
      .catch(() => undefined)
    if (response?.status === 200) note(['accepted', sessionId, clientId, interactionId, action])
    await response?.body?.cancel().catch(() => {})
  }

  /** Every few seconds it reloads, or goes away for a moment. */
  private fidget(): void {
    this.restless = setTimeout(
      async () => {
        if (this.settled) return
        const client = this.client
        client.close()
        if (this.random() < 0.5) {
          this.load()
        } else {
          await sleep(this.random() * 1_500)
          if (!this.gone) client.connect()
        }
        if (!this.settled) this.fidget()
      },
      2_000 + this.random() * 6_000,
    )
  }
}
