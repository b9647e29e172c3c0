import type { ApprovalScope } from '@holdpoint/core'
import { recordable } from '../../base/canonical-json.ts'
import { withAuth } from '../accounts/with-auth.ts'
import { openSecret } from '../answering/secret-vault.ts'
import { openUpload } from '../answering/uploads.ts'
import { withSteps } from '../api/call-steps.ts'
import type {
  ApprovalQuestion,
  ApproveOptions,
  ConnectOptions,
  Handlers,
  InputQuestion,
  Outcome,
  Refused,
  Submitted,
} from '../api/questions.ts'
import type { Auth, ToolContext, WithAuthOptions } from '../api/tool-context.ts'
import { callSteps } from '../calls/call-steps.ts'
import { once } from '../calls/journal.ts'
import { Progress } from '../calls/progress.ts'
import { keyText } from '../consent/approval-key.ts'
import { listRemembered, revokeRememberedKey } from '../consent/list-remembered.ts'
import { getApproval, setApproval } from '../consent/tool-approvals.ts'
import { toolSettingOf } from '../consent/tool-settings.ts'
import { askAndWait, type Interacted } from '../waiting/ask-and-wait.ts'
import { tryApprove } from './approve.ts'
import { type AnyAsk, tryAsk } from './ask.ts'
import { authHost, tryConnect } from './connect.ts'
import { Interaction } from './interaction.ts'
import { orRefuse } from './outcome.ts'
import { cannotAsk, prepareQuestion } from './prepare-question.ts'
import { responseOf } from './response-of.ts'
import type { ToolParticipant } from './tool-participant.ts'
import { withSignal } from './with-signal.ts'

type AnyQuestion = (ApprovalQuestion | InputQuestion) & Handlers<never, Outcome, Outcome>

/** Creates the context of a tool call: a thin layer over the engine. */
export function toolContext(participant: ToolParticipant): ToolContext {
  const { kernel, execution } = participant
  const { tenant, sessionId, userId, runId, toolCallId, toolName } = execution.identity
  const progress = () => {
    execution.progress ??= new Progress(kernel, execution)
    return execution.progress
  }
  const context = {
    ...{ sessionId, userId, runId, toolCallId, toolName },
    async requestInteraction(question: AnyQuestion) {
      const { onResponse, onTimeout, onCancel, ...fields } = question
      const handle = onResponse as (...input: unknown[]) => Outcome | Promise<Outcome>
      if (typeof onResponse !== 'function')
        throw cannotAsk('onResponse', 'must be a function: it decides what an answer means')
      const { type } = fields
      const behavior = {
        onResponse: async (answer, row, info) => await handle(responseOf(type, answer, row), info),
        onTimeout,
        onCancel,
      } satisfies Parameters<typeof prepareQuestion>[1]['behavior']
      const whenUnavailable = question.whenUnavailable ?? 'throw'
      const asked = prepareQuestion(participant, { question: fields, behavior, shortcut: false, whenUnavailable })
      // Not awaited here, because a pending async frame would stay in memory while the person decides.
      return askAndWait(participant, asked).then(outcomeOf)
    },

    tryApprove: <Args>(options: ApproveOptions<Args>) => tryApprove(participant, options),
    approve: <Args>(options: ApproveOptions<Args>) => tryApprove(participant, options).then(orRefuse),
    tryAsk: <T>(options: AnyAsk<T>) => tryAsk(participant, options),
    ask: <T>(options: AnyAsk<T>) => tryAsk(participant, options).then(inputOf),
    tryConnect: <I extends string>(options: ConnectOptions<I>) => tryConnect(participant, options),
    connect: async <I extends string>(options: ConnectOptions<I>) =>
      orRefuse(await tryConnect(participant, options)).accounts,
    withAuth: async <T, I extends string>(work: (auth: Auth<I>) => T | Promise<T>, options: WithAuthOptions<I>) =>
      withAuth(authHost(participant), work, options),

    once: (key, effect) => once(kernel, execution, key, effect),
    approvals: {
      get: (key: unknown) => getApproval(kernel, execution, key),
      set: (key: unknown, scope: ApprovalScope) => setApproval(kernel, execution, key, scope),
      list: async () => {
        const approvals = await listRemembered(kernel, { tenant, userId, tool: toolName, sessionId })
        return approvals.map(({ key, scope, approvedAt }) => ({ key, scope, approvedAt }))
      },
      revoke: async (key: unknown) => {
        await revokeRememberedKey(kernel, { tenant, userId, tool: toolName, sessionId, key: keyText(key) })
      },
    },
    interaction: new Interaction(participant),
    log: (line) => progress().line(line),
    async update(update) {
      const { input, output, status } = update
      const shown = recordable('An update of a tool', { input, output, status })
      await progress().update(shown as typeof update)
    },
    toolSetting: () => toolSettingOf(kernel, execution.identity),
    secret: (reference) => openSecret(kernel, execution, reference),
    upload: (handle) => openUpload(kernel, execution, handle),
  } satisfies Record<Exclude<keyof ToolContext, 'signal'>, unknown> &
    Pick<ToolContext, 'once' | 'approvals' | 'interaction' | 'log' | 'update' | 'toolSetting' | 'secret' | 'upload'>
  // The overloads of the public type cannot be written as one implementation.
  return withSteps(withSignal(context, execution) as unknown as ToolContext, callSteps(kernel, execution))
}

const outcomeOf = (interacted: Interacted) => (interacted as Extract<Interacted, { type: 'value' }>).value
const inputOf = <T>(asked: Submitted<T> | Refused) => orRefuse(asked).input
