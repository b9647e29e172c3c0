import { z } from 'zod'
import { limits } from '../json/limits.ts'

/**
 * The kinds, actions, scopes and outcomes of a question. A newer server may have more kinds than this client, so the
 * schemas of events accept any string as a kind. These lists contain the values that this version sends.
 */
export const approvalScope = z.enum(['once', 'session', 'always'])
/** The scope of an approval: this call, all such calls of the session, or all later ones. */
export type ApprovalScope = z.infer<typeof approvalScope>

export const answerAction = z.enum(['approve', 'deny', 'submit', 'decline', 'cancel'])
/**
 * The actions of a person at a question. Approvals take `approve` and `deny`, forms `submit` and `decline`, requests
 * for accounts `decline`; all take `cancel`.
 */
export type AnswerAction = z.infer<typeof answerAction>

export const closeReason = z.enum(['expired', 'cancelled', 'superseded', 'failed'])
export type CloseReason = z.infer<typeof closeReason>

export const risk = z.enum(['low', 'medium', 'high'])
export type Risk = z.infer<typeof risk>

/** A consequence in the host's words: `{ label: 'Cannot be undone', tone: 'danger' }`. An agent cannot state one. */
export const fact = z.looseObject({
  label: z.string().min(1).max(limits.factLength),
  value: z.string().max(limits.factLength).optional(),
  /** How it looks: `neutral`, `good`, `warning` or `danger`; a card shows other tones as `neutral`. */
  tone: z.string().optional(),
})
/** A consequence of an approval, in the words of the host. */
export type Fact = z.infer<typeof fact>

export const presentation = z.enum(['tool', 'questionnaire'])
export type Presentation = z.infer<typeof presentation>

export const runStatusValue = z.enum([
  'running',
  'awaiting_approval',
  'awaiting_input',
  'awaiting_auth',
  'paused',
  'completed',
  'cancelled',
  'error',
])
/** The status of a run: running, waiting for a person, paused, or ended. */
export type RunStatus = z.infer<typeof runStatusValue>

/** The requester of the answer. Set by the host application only: an agent cannot claim another name. */
export const requester = z.looseObject({ name: z.string(), kind: z.string().optional(), icon: z.string().optional() })
export type Requester = z.infer<typeof requester>

/** The verbs on the buttons: `{ approve: 'Delete 3 files', deny: 'Keep files' }`. */
export const labels = z.looseObject({
  title: z.string().optional(),
  approve: z.string().optional(),
  deny: z.string().optional(),
  submit: z.string().optional(),
  decline: z.string().optional(),
  cancel: z.string().optional(),
})
export type Labels = z.infer<typeof labels>

/** One file's change, in hunks that a person takes or leaves one by one. */
export const diffHunk = z.looseObject({
  id: z.string(),
  oldStart: z.int(),
  newStart: z.int(),
  /** Each line starts with `+`, `-` or a space. */
  lines: z.array(z.string()),
  header: z.string().optional(),
})
export const diffFile = z.looseObject({
  path: z.string(),
  oldPath: z.string().optional(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed']).optional(),
  /** Empty if there are no lines to show. The file is then decided as a whole, under its `path`. */
  hunks: z.array(diffHunk),
})
/** One stretch of changed lines; the person takes or leaves it by its `id`. */
export type DiffHunk = z.infer<typeof diffHunk>
/** The change to one file that an approval shows, hunk by hunk. */
export type DiffFile = z.infer<typeof diffFile>

export const diffDecisions = z.record(z.string(), z.enum(['accept', 'reject']))
export type DiffDecisions = z.infer<typeof diffDecisions>

export const completedView = z.looseObject({
  showInputs: z.boolean().optional(),
  /** Shown below our own outcome sentence, never instead of it: `Sent to {{email}}`. */
  summaryTemplate: z.string().optional(),
})
export type CompletedView = z.infer<typeof completedView>

/** Errors by field id; several for one field are possible. */
export const fieldErrors = z.record(z.string(), z.array(z.string()))
export type FieldErrors = z.infer<typeof fieldErrors>

export const responder = z.looseObject({
  userId: z.string().optional(),
  name: z.string().optional(),
  clientId: z.string(),
})
export type Responder = z.infer<typeof responder>
