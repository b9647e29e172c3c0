import { escapeToOneLine } from '@holdpoint/core/internal'
import { shownDigest } from '@holdpoint/core/wire'
import { digestOf } from '../../base/canonical-json.ts'
import type { Principal } from '../../base/principal.ts'
import { InteractionRefused } from '../../engine/api/interaction-refused.ts'
import type { InteractionRecord } from '../../engine/api/interactions.ts'
import type { Tool } from '../../engine/api/tool.ts'
import type { Session } from '../../engine/session/create-session.ts'
import type { Holdpoint } from '../../holdpoint.ts'
import { engineOf } from '../../http/mounted.ts'
import { askAtGate } from '../handlers/ask-at-gate.ts'
import { answerFromForm, type ElicitParams, wayFor } from '../handlers/client-form.ts'
import { errorResult, resultOf, waitingResult } from './call-result.ts'
import { type McpToolDefinition, settleTool } from './mcp-tool.ts'
import { findRepeat, keepForRepeat, type Repeat, takeRepeat } from './repeats.ts'
import type { CallState, StateSeal } from './request-state.ts'
import type { Incoming, ToolResult } from './sdk.ts'

/** The services that all calls of one `mcpTools` share. */
export interface CallKit {
  holdpoint: Holdpoint
  seal: StateSeal
  url(question: { sessionId: string; interactionId: string }, shownTo: 'user' | 'model'): string | Promise<string>
  /** How long a call waits for the answer after its page was opened. */
  waitMs: number
}

/** One tool of a server, prepared. */
export interface ServedTool {
  name: string
  definition: McpToolDefinition<unknown>
  tool: Tool<unknown, unknown>
}

/** One request to call a tool. */
export interface McpRequest {
  kit: CallKit
  served: ServedTool
  principal: Principal
  sessionId: string
  incoming: Incoming
  args: unknown
}

/**
 * The maximum number of dialogs that one request shows. If none of them brings a decision, the request ends with the
 * address of the question's page.
 */
const PUSHES = 5
const OPEN = 'The question was closed without a decision.'

/** Runs one request: takes the client's answer, asks what is still open, and runs the tool once. */
export class McpCall {
  private readonly kit: CallKit
  private readonly served: ServedTool
  private readonly principal: Principal
  private readonly incoming: Incoming
  private readonly args: unknown
  private readonly session: Session
  private call = ''
  private repeat: Repeat | undefined

  constructor(request: McpRequest) {
    const { kit, served, principal, sessionId, incoming, args } = request
    this.kit = kit
    this.served = served
    this.principal = principal
    this.incoming = incoming
    this.args = args
    this.session = kit.holdpoint.session(sessionId, principal)
  }

  async run(): Promise<ToolResult> {
    const state = await this.identify()
    if (state && state.args !== digestOf(this.args)) {
      return errorResult('The approval of this call covers other arguments. Call the tool again without requestState.')
    }
    const response = state?.asked && this.incoming.inputResponses[state.asked.key]
    if (!state?.asked || response === undefined) return await this.proceed(undefined)
    return await this.take(state.asked, response)
  }

  /**
   * Identifies the call by its sealed state. A request without a state is a new call, or repeats a call whose answer
   * arrived after its request had ended.
   */
  private async identify(): Promise<CallState | undefined> {
    const { kit, served, principal, incoming } = this
    if (incoming.requestState !== undefined) {
      const state = kit.seal.open(incoming.requestState, principal, served.name)
      this.call = state.call
      return state
    }
    this.repeat = await findRepeat(kit.holdpoint, this.session, principal, this.repeatKey())
    this.call =
      this.repeat?.call ?? Buffer.from(engineOf(kit.holdpoint).environment.randomBytes(16)).toString('base64url')
    return undefined
  }

  /** Records the answer of the client's form, then continues with the answer that counts. */
  private async take(asked: NonNullable<CallState['asked']>, response: unknown, pushes = 0): Promise<ToolResult> {
    const record = await this.interaction(asked.interactionId)
    if (!record) return await this.proceed(undefined, pushes)
    if (asked.shown === 'url') return await this.afterPage(record, response)
    const said = answerFromForm(record.kind, response)
    if (said === 'open') return (await this.settled(0)) ?? (await this.later(record, OPEN))
    if (said === 'invalid') return await this.proceed(OPEN, pushes)
    const outcome = await this.kit.holdpoint.answer({
      principal: this.principal,
      sessionId: this.session.sessionId,
      interactionId: record.interactionId,
      answerId: `mcp ${digestOf([asked, response])}`,
      clientId: `mcp:${escapeToOneLine(this.incoming.clientName).slice(0, 60)}`,
      answer: { ...said, shownDigest: asked.shown },
    })
    const wrong = outcome.status === 'refused' && outcome.code === 'invalid_input' ? outcome : undefined
    const fields = Object.entries(wrong?.fieldErrors ?? {}).map(([field, texts]) => `${field}: ${texts.join(' ')}`)
    // Any other refusal means that another answer won or that the question has ended. The next step reads this from the
    // store.
    return await this.proceed(wrong && [wrong.message, ...fields].join('\n'), pushes)
  }

  /** Asks the next question, or runs the tool if none is left. */
  private async proceed(error: string | undefined, pushes = 0): Promise<ToolResult> {
    const waiting = await this.ask()
    if (waiting === undefined) return (await this.settled(undefined)) as ToolResult
    const record = await this.interaction(waiting)
    if (!record) return await this.proceed(error, pushes)
    const { way, ...form } = wayFor(record, this.incoming.can, error)
    if (way === 'text' || pushes === PUSHES) return await this.later(record)
    const key = this.keyOf(record, error)
    const params = 'params' in form ? form.params : await this.page(record)
    const asked = { key, interactionId: waiting, shown: way === 'url' ? 'url' : shownDigest(record.request) }
    if (this.incoming.push) return await this.take(asked, await this.incoming.push(params), pushes + 1)
    const state: CallState = { call: this.call, args: digestOf(this.args), asked }
    return {
      resultType: 'input_required',
      inputRequests: { [key]: { method: 'elicitation/create', params } },
      requestState: this.kit.seal.seal(state, this.principal, this.served.name),
    }
  }

  /**
   * Continues after the user was sent to the page. `accept` means that the user opened the page; the answer is given
   * there.
   */
  private async afterPage(record: InteractionRecord, response: unknown): Promise<ToolResult> {
    const { action } = (response ?? {}) as { action?: unknown }
    if (action === 'decline') {
      const said = answerFromForm(record.kind, response) as { action: 'deny' | 'decline' | 'cancel' }
      await this.kit.holdpoint.answer({
        principal: this.principal,
        ...{ sessionId: this.session.sessionId, interactionId: record.interactionId },
        ...{ answerId: `mcp ${record.interactionId} declined`, clientId: 'mcp', answer: said },
      })
    }
    return (await this.settled(action === 'accept' ? this.kit.waitMs : 0)) ?? (await this.later(record))
  }

  private async page({ interactionId, request }: InteractionRecord): Promise<ElicitParams> {
    const url = await this.kit.url({ sessionId: this.session.sessionId, interactionId }, 'user')
    const prompt = 'prompt' in request ? request.prompt : 'reason' in request ? request.reason : undefined
    const message = escapeToOneLine(String(prompt ?? 'Your answer is needed.'))
    return { mode: 'url', message, url, elicitationId: interactionId }
  }

  /** Returns the open question of the call; undefined if nothing is open. */
  private async ask(): Promise<string | undefined> {
    const { environment } = engineOf(this.kit.holdpoint)
    const { name, definition } = this.served
    const call = { runId: this.call, toolCallId: this.call, toolName: name, input: this.args }
    return await askAtGate(environment, this.session, call, (gate) => settleTool(definition, this.args, gate))
  }

  /** Runs the call, joins it, or returns its record. Undefined if it still waits for a person after `waitMs`. */
  private async settled(waitMs: number | undefined): Promise<ToolResult | undefined> {
    if (waitMs !== undefined && (await this.ask()) !== undefined) {
      if (waitMs === 0) return undefined
    }
    const { environment } = engineOf(this.kit.holdpoint)
    const late = new AbortController()
    const timer = waitMs === undefined ? undefined : environment.setTimeout(() => late.abort(), waitMs, true)
    const signal = AbortSignal.any([this.incoming.signal, late.signal])
    try {
      const ran = await this.session.runTool(this.served.tool, this.args, {
        runId: this.call,
        toolCallId: this.call,
        signal,
      })
      if (ran.status === 'suspended') return waitMs === undefined ? await this.proceed(undefined) : undefined
      return await this.finished(resultOf(ran.result, this.served.definition))
    } catch (error) {
      if (late.signal.aborted) return undefined
      if (!(error instanceof InteractionRefused)) throw error
      return await this.finished(resultOf(error, this.served.definition))
    } finally {
      if (timer !== undefined) environment.clearTimeout(timer)
    }
  }

  private async finished(result: ToolResult): Promise<ToolResult> {
    if (this.repeat) await takeRepeat(this.session, this.repeatKey(), this.repeat)
    return result
  }

  /** Ends the request without an answer. The next request with the same arguments continues the call. */
  private async later(record: InteractionRecord, why?: string): Promise<ToolResult> {
    const { sessionId } = this.session
    if (!this.repeat) await keepForRepeat(this.session, this.repeatKey(), this.call)
    const url = await this.kit.url({ sessionId, interactionId: record.interactionId }, 'model')
    return waitingResult(record, url, this.served.definition, why)
  }

  private async interaction(interactionId: string): Promise<InteractionRecord | null> {
    const { tenant } = this.principal
    const which = { interactionId, sessionId: this.session.sessionId, ...(tenant !== undefined && { tenant }) }
    return await this.kit.holdpoint.interactions.get(which)
  }

  /** Returns the key of a request: the tool's own key of the question, unless an earlier round has used it. */
  private keyOf({ interactionId, key }: InteractionRecord, error: string | undefined): string {
    const { requestState } = this.incoming
    if (requestState === undefined && error === undefined) return key
    return `${key}-${digestOf([interactionId, error ?? '', requestState ?? ''])}`
  }

  private repeatKey(): string {
    return digestOf([this.served.name, this.args])
  }
}
