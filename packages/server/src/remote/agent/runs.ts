import { errorFacts, type Logger } from '../../base/logger.ts'
import { hashOf, randomToken } from '../../security/hashes.ts'
import type { WebhookSender } from '../../webhooks/send.ts'
import { refuse } from '../shared/respond.ts'
import { type AgentMessage, messageCollector, type StreamPart } from './messages-of.ts'
import { type Entry, PartLog } from './part-log.ts'
import { agentPartition, rememberRun, type SessionDeps, type SessionRow } from './sessions.ts'
import type { Place } from './stream.ts'

/** The input of the agent. */
export interface AgentInput {
  sessionId: string
  /** The id of the run that this prompt started. */
  runId: string
  prompt: string
  /** Aborts when the run is cancelled. It does not abort when a browser disconnects. */
  signal: AbortSignal
}
/** Your agent, which receives a prompt and yields the parts of its response. */
export type RunAgent = (input: AgentInput) => AsyncIterable<StreamPart> | Promise<AsyncIterable<StreamPart>>

/** The number of unstored parts above which the agent must wait. */
const ROOM = 256
const BATCH = 128
const MAX_PART = 1024 * 1024
/** The number of parts of a session that are kept for readers that reconnect. */
const KEPT = 20_000

interface Active {
  runId: string
  controller: AbortController
}

/** The runs of this process. They continue without readers. */
export class Runs {
  private readonly deps: SessionDeps & { sender: WebhookSender; logger: Logger; now: () => number }
  private readonly agent: RunAgent
  private readonly active = new Map<string, Active>()
  private readonly logs = new Map<string, { log: PartLog; readers: number }>()

  constructor(deps: SessionDeps & { sender: WebhookSender; logger: Logger; now: () => number }, agent: RunAgent) {
    this.deps = deps
    this.agent = agent
  }

  isActive(sessionId: string): boolean {
    return this.active.has(sessionId)
  }

  /** Returns the log of a session. All users of the log share it until they call `release`. */
  log(sessionId: string): { log: PartLog; release: () => void } {
    const kept = this.logs.get(sessionId) ?? {
      log: new PartLog(this.deps.store, agentPartition(sessionId)),
      readers: 0,
    }
    kept.readers++
    this.logs.set(sessionId, kept)
    let released = false
    return {
      log: kept.log,
      release: () => {
        if (released) return
        released = true
        if (--kept.readers === 0) this.logs.delete(sessionId)
      },
    }
  }

  /** Begins a run, or finds the run of the same prompt. Resolves with the position in the log from which to read. */
  async start(sessionId: string, session: SessionRow, prompt: string, promptId?: string): Promise<Place> {
    const { run } = session
    if (promptId !== undefined && run?.promptId === promptId) return { after: run.from, run: run.id }
    if (this.active.has(sessionId)) {
      refuse(409, 'agent_busy', 'The agent is still at the last prompt of this session. Read its stream, or cancel it.')
    }
    const runId = randomToken(this.deps.environment.randomBytes, 12)
    const controller = new AbortController()
    this.active.set(sessionId, { runId, controller })
    const { log, release } = this.log(sessionId)
    try {
      const { epoch, lastSeq } = await log.append([{ run: runId, part: { type: 'holdpoint-run', runId } }])
      await rememberRun(this.deps, sessionId, {
        id: runId,
        from: lastSeq,
        epoch,
        ...(promptId !== undefined && { promptId }),
      })
      void this.perform({ sessionId, runId, prompt, signal: controller.signal }, log).finally(() => {
        this.active.delete(sessionId)
        log.changed()
        release()
      })
      return { after: lastSeq, run: runId }
    } catch (error) {
      this.active.delete(sessionId)
      release()
      throw error
    }
  }

  cancel(sessionId: string): boolean {
    const run = this.active.get(sessionId)
    run?.controller.abort()
    return run !== undefined
  }

  private async perform(input: AgentInput, log: PartLog): Promise<void> {
    const { runId, sessionId, signal } = input
    const collect = messageCollector()
    const writer = batches(log)
    try {
      const over = new Promise<'over'>((resolve) => {
        signal.addEventListener('abort', () => resolve('over'), { once: true })
      })
      const parts = (await this.agent(input))[Symbol.asyncIterator]()
      for (;;) {
        const next = await Promise.race([parts.next(), over])
        if (next === 'over') {
          void parts.return?.()?.catch(() => {})
          await writer.write({ run: runId, part: { type: 'abort' } })
          break
        }
        if (next.done) break
        const part = fitting(next.value)
        await writer.write({ run: runId, part })
        const message = collect(part)
        if (message) this.tell(sessionId, runId, message)
      }
    } catch (error) {
      this.deps.logger.error('The agent failed.', { sessionId, runId, ...errorFacts(error) })
      await writer.write({ run: runId, part: FAILED }).catch(() => {})
    }
    await writer.write({ run: runId, end: true }).catch(() => {})
    await writer
      .drained()
      .catch((error) =>
        this.deps.logger.error('A stream could not be stored.', { sessionId, runId, ...errorFacts(error) }),
      )
    await log.trim(KEPT).catch(() => {})
  }

  /** Sends a message to the back end. It is stored first, so that a back end that is unavailable receives it later. */
  private tell(sessionId: string, runId: string, message: AgentMessage): void {
    const { sender, logger, now } = this.deps
    const name = message.type === 'text' ? message.id : message.toolCallId
    void hashOf(JSON.stringify([sessionId, runId, message.type, name]))
      .then((hash) =>
        sender.send(sessionId, { sessionId, runId, ...message, timestamp: now() }, `msg_${hash.slice(0, 40)}`),
      )
      .catch((error) =>
        logger.error('A message could not be kept for its back end.', { sessionId, ...errorFacts(error) }),
      )
  }
}

const FAILED = { type: 'error', errorText: 'The agent failed.' }

function fitting(part: StreamPart): StreamPart {
  const size = JSON.stringify(part)?.length ?? 0
  if (size <= MAX_PART && part.type !== 'error') return part
  return part.type === 'error'
    ? FAILED
    : ({ type: 'error', errorText: 'A part of the stream was too large.' } as StreamPart)
}

/** Returns a writer that combines parts while the store is busy, and slows the agent down when too many parts wait. */
function batches(log: PartLog) {
  const waiting: Entry[] = []
  let work: Promise<void> | undefined
  const flush = async () => {
    try {
      while (waiting.length > 0) await log.append(waiting.splice(0, BATCH))
    } finally {
      work = undefined
    }
  }
  return {
    async write(entry: Entry): Promise<void> {
      waiting.push(entry)
      // Runs in a microtask, so that parts that arrive together are one write.
      work ??= Promise.resolve().then(flush)
      if (waiting.length >= ROOM) await work
      else work.catch(() => {})
    },
    async drained(): Promise<void> {
      await work
    },
  }
}
