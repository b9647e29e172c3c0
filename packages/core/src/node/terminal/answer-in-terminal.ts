import type { HoldpointClient } from '../../client/api/types.ts'
import { pendingAuthOf } from '../../connect/pending-auth.ts'
import { isHoldpointError } from '../../error.ts'
import { needsShownDigest } from '../../json/needs-shown-digest.ts'
import type { Answer, Interaction } from '../../machine/state/types.ts'
import { say } from '../../messages/messages.ts'
import { spokenEnglish } from '../../messages/spoken.ts'
import type { InteractionRequestEvent } from '../../protocol/events.ts'

import { escapeToOneLine } from '../../text/escape-invisible.ts'
import { toolWords } from '../../text/names.ts'
import { shownDigest } from '../../wire/shown-digest.ts'
import { askApproval } from './ask-approval.ts'
import { askConnect } from './ask-connect.ts'
import { askFields } from './ask-fields.ts'
import { printDeadline, withMoreTime } from './more-time.ts'
import { createPrompter, type Prompter, type TerminalStreams } from './prompter.ts'

/** Settings of `answerInTerminal`: whose questions, and which streams if not the process's own. */
export interface TerminalOptions {
  client: HoldpointClient
  input?: TerminalStreams['input']
  output?: TerminalStreams['output']
  signal?: AbortSignal
  /** Called with the address at which an account is connected; default: it is only shown. */
  openUrl?(url: string): unknown
  /**
   * Called after Ctrl-C, when the terminal is given back. @default raises SIGINT in this process, so that it ends as
   * without a prompt, or its own handlers run
   */
  onInterrupt?(): void
  /** A clock in milliseconds that is never set back. @default performance.now */
  now?(): number
}

/**
 * Answers the questions of a session in a terminal, one after another, until the signal aborts or the input ends. A
 * question that is answered elsewhere disappears. A program without a terminal should call
 * `client.setInteractionMode(false)` instead.
 *
 * Ctrl-C leaves the question open, gives the terminal back, resolves, and interrupts the program (`onInterrupt`).
 *
 * @example
 * const client = createHoldpointClient({ sessionId, transport: sse({ url }) })
 * await answerInTerminal({ client, openUrl: openBrowser, signal })
 */
export async function answerInTerminal(options: TerminalOptions): Promise<void> {
  const { client, input = process.stdin, output = process.stdout, openUrl = () => {}, now } = options
  const { onInterrupt = () => process.kill(process.pid, 'SIGINT') } = options
  const interrupted = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, interrupted.signal]) : interrupted.signal
  const prompter = createPrompter({ input, output }, now, () => interrupted.abort())
  const seen = new Set<string>()
  try {
    for (;;) {
      const next = await nextQuestion(client, seen, prompter, signal)
      if (!next) break
      seen.add(next.interactionId)
      await answerOne(client, next, prompter, signal, openUrl)
    }
  } catch (error) {
    if (!isHoldpointError(error, 'terminal_closed') && !signal.aborted) throw error
  } finally {
    prompter.close()
  }
  if (interrupted.signal.aborted) onInterrupt()
}

/** Resolves with the oldest open question that was not shown yet; null if the signal, the client or the input has ended. */
function nextQuestion(
  client: HoldpointClient,
  seen: ReadonlySet<string>,
  prompter: Prompter,
  signal: AbortSignal,
): Promise<Interaction | null> {
  const ends = [signal, prompter.ended]
  return new Promise((done) => {
    const resolveIfFound = () => {
      const state = client.getSnapshot()
      const id = state.pendingIds.find((one) => !seen.has(one))
      const found = id === undefined ? undefined : state.interactions.get(id)
      const over = signal.aborted || state.connection.status === 'closed' || prompter.isExhausted()
      if (found?.status !== 'pending' && !over) return
      leave()
      for (const end of ends) end.removeEventListener('abort', resolveIfFound)
      done(over ? null : (found ?? null))
    }
    const leave = client.subscribe(resolveIfFound)
    for (const end of ends) end.addEventListener('abort', resolveIfFound)
    resolveIfFound()
  })
}

async function answerOne(
  client: HoldpointClient,
  interaction: Interaction,
  prompter: Prompter,
  outer: AbortSignal | undefined,
  openUrl: (url: string) => unknown,
): Promise<void> {
  const { interactionId, request } = interaction
  const settled = new AbortController()
  const signal = outer ? AbortSignal.any([outer, settled.signal]) : settled.signal
  const leave = client.subscribe(() => {
    const { status } = client.getSnapshot().interactions.get(interactionId) ?? {}
    if (status !== 'pending' && status !== 'submitting' && status !== 'not_sent') settled.abort()
  }, `interaction:${interactionId}`)
  prompter.discardTyped()
  try {
    headline(interaction, prompter)
    printDeadline(client, interactionId, prompter)
    if (pendingAuthOf(interaction)) await askConnect(client, interaction, prompter, signal, openUrl)
    else if (interaction.kind === 'unknown')
      prompter.print('A question of this kind can only be answered in the application.')
    else {
      const patient = withMoreTime(prompter, client, interactionId)
      await askAndSend(client, request as InteractionRequestEvent, patient, signal)
    }
  } catch (error) {
    if (!settled.signal.aborted || outer?.aborted) throw error
    prompter.print('This question has ended: it was answered elsewhere or withdrawn.')
  } finally {
    leave()
    prompter.discardTyped()
  }
}

/** Repeats until the server accepts the answer or the person leaves the question. Errors of the server are shown. */
async function askAndSend(
  client: HoldpointClient,
  asked: InteractionRequestEvent,
  prompter: Prompter,
  signal: AbortSignal,
): Promise<void> {
  let shown = asked
  for (let request = asked; ; ) {
    const approval = request.interactionType === 'approval'
    const answer = await (approval ? askApproval : askFields)(request, prompter, signal)
    const printed = needsShownDigest(answer.action) && { shownDigest: shownDigest(shown) }
    let sent = await client.respond(request.interactionId, { ...answer, ...printed })
    while (sent.status === 'not_sent') {
      const typed = await prompter.line('Not sent. Your answer is kept. [Enter = try again / n = leave it] ', {
        signal,
      })
      if (typed.trim().toLowerCase().startsWith('n')) return
      sent = await client.retry(request.interactionId)
    }
    if (sent.status === 'shown_differs') {
      prompter.print(
        'The question has changed since it was shown. Your answer did not count. This is the question now:',
      )
      request = shown = await changedRequest(client, shown, signal)
      for (const text of [request.error, request.prompt]) if (text) prompter.print(escapeToOneLine(text))
      continue
    }
    if (sent.status !== 'invalid') {
      return prompter.print(
        sent.status === 'accepted' ? OUTCOMES[answer.action] : `Not accepted: ${sent.status.replaceAll('_', ' ')}.`,
      )
    }
    const { message, fieldErrors } = sent.problem
    prompter.print(escapeToOneLine(message))
    request = {
      ...request,
      ...(answer.input ? { initialValues: answer.input } : {}),
      ...(answer.args === undefined ? {} : { draftArgs: answer.args }),
      ...(fieldErrors ? { fieldErrors } : {}),
    }
  }
}

/** Resolves with the question as the client holds it, once that is another one than was printed. */
function changedRequest(
  client: HoldpointClient,
  shown: InteractionRequestEvent,
  signal: AbortSignal,
): Promise<InteractionRequestEvent> {
  return new Promise((resolve, reject) => {
    const settleIfChanged = () => {
      const request = client.getSnapshot().interactions.get(shown.interactionId)?.request
      if (!signal.aborted && (!request || shownDigest(request) === shownDigest(shown))) return
      leave()
      signal.removeEventListener('abort', settleIfChanged)
      if (signal.aborted) reject(signal.reason)
      else resolve(request as InteractionRequestEvent)
    }
    const leave = client.subscribe(settleIfChanged, `interaction:${shown.interactionId}`)
    signal.addEventListener('abort', settleIfChanged)
    settleIfChanged()
  })
}

function headline({ request, toolName, kind }: Interaction, prompter: Prompter): void {
  const { requester, prompt, error, reason, labels } = request as Partial<InteractionRequestEvent> & { reason?: string }
  const prefix = requester ? `${escapeToOneLine(requester.name)}, ` : ''
  const tool = toolWords(toolName)
  prompter.print(`\n── ${prefix}${escapeToOneLine(tool)}`)
  // An approval without a prompt asks whether its tool may run, as its card does.
  const question = kind === 'approval' && !prompt ? (labels?.title ?? say(spokenEnglish.allowTool, { tool })) : prompt
  for (const text of [error, question, reason]) if (text) prompter.print(escapeToOneLine(text))
}

const OUTCOMES: Readonly<Record<Answer['action'], string>> = {
  approve: 'Approved.',
  deny: 'Denied.',
  submit: 'Sent.',
  decline: 'Declined.',
  cancel: 'Cancelled.',
}
