import type { UserAction } from '@holdpoint/core'
import { type ErrorCode, needsShownDigest } from '@holdpoint/core/internal'
import { digestOf } from '../../base/canonical-json.ts'
import type { Principal } from '../../base/principal.ts'
import type { Row } from '../../store/port.ts'
import { refusal } from '../access/authorize.ts'
import { answerQuestion } from '../answering/answer-question.ts'
import type { AnsweringKernel } from '../answering/answering-kernel.ts'
import type { Reply } from '../api/engine.ts'
import type { AcceptedAction, UserActionDefinition } from '../api/user-actions.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { callId, randomId, SESSION_ROW, sessionPartition } from '../records/keys.ts'
import type { Transaction } from '../records/transaction.ts'
import { iso } from '../state/question-events.ts'
import type { CallRow } from '../state/rows.ts'

interface Checked {
  actionId: string
  action: UserAction
  definition: UserActionDefinition
  payload: unknown
  digest: string
}

export type Accepted = { ok: true; accepted: AcceptedAction[]; replayed: boolean } | { ok: false; reply: Reply }

/** Takes what a person did: all of it, or nothing with the reason. Actions that were accepted before are skipped. */
export async function acceptUserActions(
  kernel: AnsweringKernel,
  principal: Principal,
  { tenant, sessionId }: { tenant: string; sessionId: string },
  clientId: string,
  actions: readonly UserAction[],
): Promise<Accepted> {
  const partition = sessionPartition(tenant, sessionId)
  const checked: Checked[] = []
  for (const [index, action] of actions.entries()) {
    const one = await check(kernel, action, `actions.${index}`)
    if ('ok' in one) return one
    checked.push(one)
  }
  const checkedActions = await kernel.transact(partition, (tx) => findFresh(kernel, tx, checked))
  if ('ok' in checkedActions) return checkedActions
  // An answer that is refused refuses the action. One that was given by an earlier try is recognized by its id.
  for (const { actionId, action, definition, payload, interactionId } of checkedActions.fresh) {
    if (!definition.answer || action.type !== 'tool_event') continue
    if (interactionId === undefined)
      return refused(
        'superseded',
        'This call has no open question. The question that the action would have answered has ended.',
      )
    const answer = definition.answer(payload as never)
    const { shownDigest } = action
    if (shownDigest === undefined && needsShownDigest(answer.action)) return refused('shown_differs', NOT_SHOWN)
    const reply = await answerQuestion(kernel, principal, sessionId, {
      type: 'tool_interaction_response',
      ...{ clientId, interactionId, callId: action.toolCallId, answerId: `action ${actionId}` },
      ...answer,
      ...(shownDigest !== undefined && { shownDigest }),
    })
    if (reply.status >= 400) return { ok: false, reply }
  }
  return await kernel.transact(partition, async (tx) => {
    const again = await findFresh(kernel, tx, checked)
    if ('ok' in again) return again
    const accepted = again.fresh.map((one) => record(tx, sessionId, one))
    return { ok: true, accepted, replayed: again.fresh.length < checked.length }
  })
}

type Fresh = Checked & { call: CallRow | null; interactionId: string | undefined }

/** Which actions are new, and whether what they are about exists. */
async function findFresh(kernel: AnsweringKernel, tx: Transaction, checked: readonly Checked[]) {
  const fresh = new Map<string, Fresh>()
  const [session, ...known] = await tx.read(
    ['session', SESSION_ROW],
    ...checked.map(({ actionId }) => ['action', actionId] as const),
  )
  if (!session) return refused('not_found')
  // Read once for all actions of the message.
  let listed: Promise<Row[]> | undefined
  const calls = () => {
    listed ??= kernel.store.list(tx.partition, 'call')
    return listed
  }
  for (const [index, one] of checked.entries()) {
    const before = known[index] ?? fresh.get(one.actionId)
    if (before) {
      if (before.digest === one.digest) continue
      return refused('action_id_reused', 'This actionId was used for another action. Create a new id for each action.')
    }
    const { action } = one
    if (action.type === 'global_event') fresh.set(one.actionId, { ...one, call: null, interactionId: undefined })
    else {
      const { runId, toolCallId, toolName } = action
      const wanted = { toolCallId, ...(typeof runId === 'string' && { runId }) }
      const call = await findCall(kernel, tx, wanted, calls)
      // Naming another tool than the call's own is rejected like an invented id.
      if (call?.toolName !== toolName) {
        return refused(
          'unknown_tool_call',
          `This session has no call "${toolCallId}" of ${toolName}. Name a call that is in its log.`,
        )
      }
      fresh.set(one.actionId, { ...one, call, interactionId: await openQuestionOf(tx, call) })
    }
  }
  return { fresh: [...fresh.values()] }
}

async function openQuestionOf(tx: Transaction, { keys }: CallRow): Promise<string | undefined> {
  const rows = await tx.read(...Object.values(keys).map(({ interactionId }) => ['question', interactionId] as const))
  return rows.filter((row) => row !== null).sort((a, b) => b.askedAt - a.askedAt)[0]?.id
}

function record(tx: Transaction, sessionId: string, { actionId, action, definition, payload, digest, call }: Fresh) {
  const accepted: AcceptedAction = {
    ...{ actionId, event: action.event },
    ...(call && { toolName: call.toolName, toolCallId: call.toolCallId, runId: call.runId }),
    ...(payload !== undefined && { payload }),
    message: inTemplate(definition.message, payload),
  }
  tx.put('action', actionId, { digest, at: tx.now }, { due: tx.keepUntil })
  const base = { timestamp: iso(tx.now), sessionId }
  tx.event({ type: 'user_action', ...base, ...accepted })
  if (call && definition.status !== undefined) {
    const { runId, toolCallId } = call
    tx.event({ type: 'tool_call_update', ...base, runId, toolCallId, status: definition.status })
  }
  return accepted
}

/** Holds an action against the registry, by its own names only. */
async function check(
  kernel: AnsweringKernel,
  action: UserAction,
  path: string,
): Promise<Checked | Extract<Accepted, { ok: false }>> {
  const { tools = {}, global = {} } = kernel.settings.userActions ?? {}
  const isTool = action.type === 'tool_event'
  const events = isTool ? (Object.hasOwn(tools, action.toolName) ? tools[action.toolName] : undefined) : global
  if (!events)
    return unknown(
      `${path}.toolName`,
      'There is no tool of this name whose events are taken. The server lists them as `userActions`.',
    )
  const definition = Object.hasOwn(events, action.event) ? events[action.event] : undefined
  if (!definition)
    return unknown(
      `${path}.event`,
      `There is no such event${isTool ? ' of this tool' : ''}. The server lists them as \`userActions\`.`,
    )
  const { payload: given } = action
  if (!definition.payload && given !== undefined)
    return unknown(`${path}.payload`, 'This event takes no payload. Leave it out, or give the event a schema.')
  const parsed = await definition.payload?.safeParseAsync(given)
  if (parsed && !parsed.success) {
    const issue = parsed.error.issues[0]
    const at = [`${path}.payload`, ...(issue?.path ?? []).map(String)].join('.')
    return unknown(at, `The payload of this event does not fit: ${issue?.message ?? 'it is not valid'}.`)
  }
  const {
    actionId = randomId(kernel.environment),
    shownDigest: _shown,
    ...content
  } = action as UserAction & { shownDigest?: string }
  return { actionId, action, definition, payload: parsed?.data, digest: digestOf(content) }
}

export function unknown(path: string, message: string): Extract<Accepted, { ok: false }> {
  return { ok: false, reply: refusal('unknown_action', { message, path }) }
}

const NOT_SHOWN =
  'This action would approve or fill in a question, and does not name the one on screen. Send it with the shownDigest of the question; the client adds it.'

export function refused(code: ErrorCode, message?: string): Extract<Accepted, { ok: false }> {
  return { ok: false, reply: refusal(code, message === undefined ? {} : { message }) }
}

/** A call by what clients know of it. Where no run is named it is the latest one of that id: providers use ids again. */
export async function findCall(
  kernel: Kernel,
  tx: Transaction,
  { runId, toolCallId }: { runId?: string | undefined; toolCallId: string },
  list: () => Promise<readonly Row[]>,
): Promise<CallRow | null> {
  if (runId !== undefined) return (await tx.read(['call', callId(runId, toolCallId)]))[0]
  const rows = await list()
  // The name of a row ends with the id: what does not is not read.
  const suffix = callId('', toolCallId)
  const calls = rows
    .filter((row) => row.id.endsWith(suffix) && kernel.rows.read('call', row))
    .map((row) => tx.adopt('call', row))
  return calls
    .filter((call) => call.toolCallId === toolCallId)
    .reduce<CallRow | null>((latest, call) => (latest && latest.startedAt > call.startedAt ? latest : call), null)
}

/** Builds the message for the model. Text that the user typed is quoted as JSON, so that the model reads it as data. */
export function inTemplate(message: string | ((payload: never) => string), payload: unknown): string {
  if (typeof message === 'function') return message(payload as never)
  return message.replace(/\{([\w.]+)\}/g, (whole, path: string) => {
    const value = path.split('.').reduce<unknown>(fieldOf, payload)
    return value === undefined ? whole : JSON.stringify(value)
  })
}

export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
