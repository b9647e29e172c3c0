import { pendingAuthOf } from '../../auth/pending-auth.ts'
import type { HoldpointClient } from '../../client/types.ts'
import { isHoldpointError } from '../../error.ts'
import type { Answer, Interaction } from '../../machine/types.ts'
import type { InteractionRequestEvent } from '../../protocol/index.ts'
import { askApproval } from './ask-approval.ts'
import { askConnect } from './ask-connect.ts'
import { askFields } from './ask-fields.ts'
import { createPrompter, type Prompter, type TerminalStreams } from './prompter.ts'
import { visibleLine } from './visible.ts'

/** Settings of `answerInTerminal`: whose questions, and which streams if not the process's own. */
export interface TerminalOptions {
  client: HoldpointClient
  input?: TerminalStreams['input']
  output?: TerminalStreams['output']
  signal?: AbortSignal
  /** Called with the address at which an account is connected; default: it is only shown. */
  openUrl?(url: string): unknown
}

/**
 * Answers the questions of a session in a terminal, one after the other, as they come, until the signal says so or the
 * input ends. Answered elsewhere meanwhile, a question goes away. A program without a terminal should not call it, but
 * tell the server so: `client.setInteractionMode(false)`.
 *
 * @example
 * const client = createHoldpointClient({ sessionId, transport: sse({ url }) })
 * await answerInTerminal({ client, openUrl: openBrowser, signal })
 */
export async function answerInTerminal(options: TerminalOptions): Promise<void> {
  const { client, input = process.stdin, output = process.stdout, signal, openUrl = () => {} } = options
  const prompter = createPrompter({ input, output })
  const seen = new Set<string>()
  try {
    for (;;) {
      const next = await nextQuestion(client, seen, signal)
      if (!next) return
      seen.add(next.interactionId)
      await answerOne(client, next, prompter, signal, openUrl)
    }
  } catch (error) {
    if (isHoldpointError(error, 'terminal_closed') || signal?.aborted) return
    throw error
  } finally {
    prompter.close()
  }
}

/** The oldest open question that was not shown yet; null when there is nothing to wait for any more. */
function nextQuestion(
  client: HoldpointClient,
  seen: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<Interaction | null> {
  return new Promise((done) => {
    const look = () => {
      const state = client.getSnapshot()
      const id = state.pendingIds.find((one) => !seen.has(one))
      const found = id === undefined ? undefined : state.interactions.get(id)
      const over = signal?.aborted || state.connection.status === 'closed'
      if (found?.status !== 'pending' && !over) return
      leave()
      signal?.removeEventListener('abort', look)
      done(over ? null : (found ?? null))
    }
    const leave = client.subscribe(look)
    signal?.addEventListener('abort', look)
    look()
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
  const gone = new AbortController()
  const signal = outer ? AbortSignal.any([outer, gone.signal]) : gone.signal
  const leave = client.subscribe(() => {
    const { status } = client.getSnapshot().interactions.get(interactionId) ?? {}
    if (status !== 'pending' && status !== 'submitting' && status !== 'not_sent') gone.abort()
  }, `interaction:${interactionId}`)
  try {
    headline(interaction, prompter)
    if (pendingAuthOf(interaction)) await askConnect(client, interaction, prompter, signal, openUrl)
    else if (interaction.kind === 'unknown')
      prompter.print('A question of this kind can only be answered in the application.')
    else await askAndSend(client, request as InteractionRequestEvent, prompter, signal)
  } catch (error) {
    if (!gone.signal.aborted || outer?.aborted) throw error
    prompter.print('This question is over: it was answered elsewhere or withdrawn.')
  } finally {
    leave()
  }
}

/** Until it is taken, or the person leaves it: what the server refuses is asked again, with its reasons. */
async function askAndSend(
  client: HoldpointClient,
  asked: InteractionRequestEvent,
  prompter: Prompter,
  signal: AbortSignal,
): Promise<void> {
  for (let request = asked; ; ) {
    const approval = request.interactionType === 'approval'
    const answer = await (approval ? askApproval : askFields)(request, prompter, signal)
    let sent = await client.respond(request.interactionId, answer)
    while (sent.status === 'not_sent') {
      const typed = await prompter.line('Not sent. Your answer is kept. [Enter = try again / n = leave it] ', {
        signal,
      })
      if (typed.trim().toLowerCase().startsWith('n')) return
      sent = await client.retry(request.interactionId)
    }
    if (sent.status !== 'invalid') {
      return prompter.print(
        sent.status === 'accepted' ? OUTCOMES[answer.action] : `Not taken: ${sent.status.replaceAll('_', ' ')}.`,
      )
    }
    const { message, fieldErrors } = sent.problem
    prompter.print(visibleLine(message))
    request = {
      ...request,
      ...(answer.input ? { initialValues: answer.input } : {}),
      ...(fieldErrors ? { fieldErrors } : {}),
    }
  }
}

function headline({ request, toolName }: Interaction, prompter: Prompter): void {
  const { requester, prompt, error, reason } = request as Partial<InteractionRequestEvent> & { reason?: string }
  const who = requester ? `${visibleLine(requester.name)}, ` : ''
  prompter.print(`\n── ${who}${visibleLine(toolName)}`)
  for (const text of [error, prompt, reason]) if (text) prompter.print(visibleLine(text))
}

const OUTCOMES: Readonly<Record<Answer['action'], string>> = {
  approve: 'Approved.',
  deny: 'Denied.',
  submit: 'Sent.',
  decline: 'Declined.',
  cancel: 'Cancelled.',
}
