import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import type { RunState, RunToolApprovalItem } from '@openai/agents'
import type { Environment } from '../../base/environment.ts'
import { recordNow } from '../../engine/api/call-steps.ts'
import type { Session } from '../../engine/session/create-session.ts'
import { toBase64Url } from '../../security/hashes.ts'
import { refusedBy, sentences } from '../handlers/tool-not-run.ts'
import { untilClaimed } from '../handlers/until-claimed.ts'

/** The part of the SDK's run state that decisions are written to. */
export type Decided = Pick<RunState<unknown, never>, 'approve' | 'reject'>

/**
 * The time after which a resume assumes that the process that claimed a decision has died. The tool runs outside of
 * that process, so it must not run again.
 */
const CLAIM_MS = 5 * 60_000

interface Raw {
  callId?: string
  id?: string
  providerData?: Record<string, unknown>
  arguments?: string
  action?: unknown
  operation?: unknown
}

/** Asks for approvals of tools that the SDK or its provider runs: hosted MCP, shell, computer, patches. */
export class Decisions {
  readonly #environment: Environment
  readonly #session: Session
  readonly #runId: string

  constructor(environment: Environment, session: Session, runId: string) {
    this.#environment = environment
    this.#session = session
    this.#runId = runId
  }

  /** Opens the question of a call, unless it is already open or settled. */
  async ask(item: RunToolApprovalItem): Promise<void> {
    await this.#decision(item)
  }

  /** Writes a decision into the state, in one resume only. Does nothing while the question is open. */
  async enter(item: RunToolApprovalItem, state: Decided): Promise<void> {
    const decision = await this.#decision(item)
    if (decision === 'open') return
    if (decision !== 'approved') return state.reject(item, { message: decision })
    const claim = { by: toBase64Url(this.#environment.randomBytes(16)), at: this.#environment.now() }
    const first = await untilClaimed(this.#environment, () => recordNow(this.#gate(item), 'decision', claim))
    if (first.by === claim.by) return state.approve(item)
    if (claim.at - first.at < CLAIM_MS) throw alreadyClaimed(nameOf(item))
    state.reject(item, {
      message: 'The user approved, but the process that ran the tool ended. It is not known whether the tool ran.',
    })
  }

  async #decision(item: RunToolApprovalItem): Promise<string> {
    try {
      const ask = () => this.#gate(item).approve<unknown>({ args: argsOf(item), scopes: ['once'] })
      await untilClaimed(this.#environment, ask)
      return 'approved'
    } catch (error) {
      if (isHoldpointError(error, 'interaction_waiting')) return 'open'
      const refused = refusedBy(error)
      if (!refused) throw error
      const { outcome, reason } = refused
      return reason === undefined ? sentences[outcome] : `${sentences[outcome]} The user wrote: ${reason}`
    }
  }

  #gate(item: RunToolApprovalItem) {
    return this.#session.gate({ runId: this.#runId, toolCallId: idOf(item), toolName: nameOf(item) })
  }
}

const nameOf = ({ name, toolName, rawItem }: RunToolApprovalItem): string => name ?? toolName ?? rawItem.type

function idOf(item: RunToolApprovalItem): string {
  const { callId, providerData, id } = item.rawItem as Raw
  const found = callId ?? providerData?.id ?? id
  if (typeof found === 'string') return found
  throw new HoldpointError(
    'invalid_request',
    `${nameOf(item)} needs an approval and has no id. Holdpoint finds the answer of a call by its id.`,
  )
}

function argsOf({ rawItem }: RunToolApprovalItem): unknown {
  const { arguments: own, providerData, action, operation } = rawItem as Raw
  const text = own ?? providerData?.arguments
  if (typeof text !== 'string') return action ?? operation
  try {
    return JSON.parse(text)
  } catch {
    return { arguments: text }
  }
}

function alreadyClaimed(name: string): HoldpointError {
  return new HoldpointError(
    'call_begun',
    `Another resume of this run carries out the approval of ${name}. Let it finish, or try again in five minutes.`,
  )
}
