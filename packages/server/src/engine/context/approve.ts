import type { ApprovalScope } from '@holdpoint/core'
import { canonicalJson, digestOf } from '../../base/canonical-json.ts'
import type { Approved, ApproveOptions, Complete, Outcome, Refused } from '../api/questions.ts'
import { approvalKey } from '../consent/approval-key.ts'
import { applyRemembered, rememberedOf } from '../consent/remembered.ts'
import { retryUntilStored } from '../kernel/retry-until-stored.ts'
import { issuesByField } from '../state/field-errors.ts'
import type { Answered, QuestionRow } from '../state/rows.ts'
import { askAndWait, type Interacted } from '../waiting/ask-and-wait.ts'
import { refusedOf } from './outcome.ts'
import { cannotAsk, prepareQuestion, type QuestionSpec } from './prepare-question.ts'
import type { ToolParticipant } from './tool-participant.ts'

/** `approve`: a question whose outcomes Holdpoint defines, so that every outcome but an approval stops the tool. */

/**
 * The recorded form of an approval. Without `args` the caller's own apply. An edit is recorded as the schema parsed it.
 */
type RecordedApproval = Refused | (Omit<Approved<unknown>, 'args'> & { args?: unknown })

export async function tryApprove<Args>(
  participant: ToolParticipant,
  options: ApproveOptions<Args>,
): Promise<Approved<Args> | Refused> {
  const { rememberAs: _rememberAs, scopes, scopeLabel, schema: _schema, policy: _policy, ...shared } = options
  const own = options.args as Args
  const { rememberedKey, covers } = approvalKey(options)
  const approvalScopes = offered(scopes, rememberedKey)
  const wider = approvalScopes.some((scope) => scope !== 'once')
  const spec: QuestionSpec = {
    question: {
      ...shared,
      type: 'approval',
      approvalScopes,
      ...(wider && covers && { approvalCovers: covers }),
      ...(wider && scopeLabel !== undefined && { approvalLabel: scopeLabel }),
      ...(options.rememberAs !== undefined &&
        rememberedKey !== undefined && { key: `approval:${digestOf(rememberedKey)}` }),
    },
    behavior: {
      argsSchema: options.schema,
      plain: plainApproval,
      onResponse: (answer, row) => judgeApproval(participant, options, answer, row),
    },
    shortcut: true,
    whenUnavailable: options.whenUnavailable ?? 'wait',
    rememberedKey,
  }
  // Not awaited here: a frame that waits with a person would be kept in memory for as long as they think.
  return askAndWait(participant, prepareQuestion(participant, spec)).then(
    (interacted) => approvalOf(interacted, own),
    refusedOf,
  )
}

/** A wider scope is offered only if there is a value to remember the approval under. */
function offered(
  scopes: readonly ApprovalScope[] | undefined,
  rememberedKey: string | undefined,
): readonly ApprovalScope[] {
  if (rememberedKey !== undefined) return scopes ?? ['once', 'session']
  const wider = scopes?.find((scope) => scope !== 'once')
  if (wider === undefined) return scopes ?? ['once']
  throw cannotAsk(
    'rememberAs',
    `is missing: the scope "${wider}" needs it, because without it the person would be asked again. Say what is approved: rememberAs: (args) => ['delete', args.files]`,
  )
}

function approvalOf<Args>(interacted: Interacted, own: Args): Approved<Args> | Refused {
  if (interacted.type === 'remembered') {
    return { outcome: 'approved', args: own, edited: false, scope: interacted.remembered.scope, remembered: true }
  }
  const recorded = interacted.value as RecordedApproval
  if (recorded.outcome !== 'approved') return recorded
  return { ...recorded, args: recorded.edited ? (recorded.args as Args) : own }
}

/** A denial, or an approval of the unchanged request for once or for this session. */
function plainApproval(
  { action, args, approvalScope = 'once', ...answer }: Answered,
  row: QuestionRow,
): Complete | undefined {
  const because = answer.reason === undefined ? {} : { reason: answer.reason }
  if (action !== 'approve') return { complete: { outcome: action === 'deny' ? 'denied' : 'cancelled', ...because } }
  // Changed arguments need the schema and policy, and an approval for always is stored in another partition.
  if (args !== undefined || (approvalScope === 'always' && answer.coveredBy === undefined)) return undefined
  return { complete: { ...yes(answer, row), edited: false, scope: approvalScope } }
}

export function yes(
  { reason, by, diffDecisions, coveredBy }: Pick<Answered, 'reason' | 'by' | 'diffDecisions' | 'coveredBy'>,
  { request }: QuestionRow,
) {
  // The diff of the question that was answered. A re-run may have computed another one.
  const diff = request.type === 'interaction_request' ? request.diff : undefined
  return {
    outcome: 'approved',
    remembered: coveredBy !== undefined,
    respondedBy: by,
    ...(reason !== undefined && { reason }),
    ...(diff && { diff }),
    ...(diffDecisions && { diffDecisions }),
  }
}

/**
 * Changed arguments are checked by schema and policy again, and are approved for once. The next prompt contains a
 * refused edit as a draft. The arguments of the question stay, so that a plain approval covers the shown arguments.
 */
async function judgeApproval<Args>(
  { kernel, execution }: ToolParticipant,
  { args, schema, policy }: ApproveOptions<Args>,
  answer: Answered,
  row: QuestionRow,
): Promise<Outcome> {
  const plain = plainApproval(answer, row)
  if (plain) return plain
  const asked = canonicalJson(args)
  if (answer.args === undefined || canonicalJson(answer.args) === asked) {
    // The next question must find the remembered approval, even if its delivery is still under way.
    const given = rememberedOf(row, answer)
    if (given?.remembered.scope === 'always')
      await retryUntilStored(kernel, () => applyRemembered(kernel, row.tenant, given.id, given.remembered))
    return { complete: { ...yes(answer, row), edited: false, scope: answer.approvalScope ?? 'once' } }
  }

  const own = execution.registered ? kernel.editSchema(execution.identity.toolName) : undefined
  const parsed = await (schema ?? own)?.safeParseAsync(answer.args)
  if (parsed && !parsed.success) {
    const { error = 'The changed arguments are not valid.', fieldErrors } = issuesByField(parsed.error.issues)
    return { reprompt: { draftArgs: answer.args, error, fieldErrors } }
  }
  const changed = (parsed ? parsed.data : answer.args) as Args
  const allowed = (await policy?.(changed)) ?? true
  if (allowed !== true) {
    const error = allowed === false ? 'This change is not allowed.' : allowed
    return { reprompt: { draftArgs: answer.args, error } }
  }
  // The schema may have dropped all that the person changed.
  const edited = canonicalJson(changed) !== asked
  return { complete: { ...yes(answer, row), edited, args: changed, scope: 'once' } }
}
