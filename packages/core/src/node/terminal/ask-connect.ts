import type { HoldpointClient } from '../../client/api/types.ts'
import { pendingAuthOf } from '../../connect/pending-auth.ts'
import type { Interaction } from '../../machine/state/types.ts'
import { escapeToOneLine, hostOf } from '../../text/escape-invisible.ts'
import { integrationWords } from '../../text/names.ts'
import type { Prompter } from './prompter.ts'

/**
 * Shows the address for each account, and waits until the server reports all accounts as connected or the person stops
 * the task. Resolves on abort, because the question has then ended.
 */
export async function askConnect(
  client: HoldpointClient,
  interaction: Interaction,
  prompter: Prompter,
  signal: AbortSignal,
  openUrl: (url: string) => unknown,
): Promise<void> {
  const pending = pendingAuthOf(interaction)
  if (!pending) return
  const { generationId, interactionId } = pending
  for (const { integration, connected, cause } of pending.accounts) {
    if (connected) continue
    const flow = await client.connectAccount(interactionId, integration)
    const again = cause === 'expired' ? ' again' : cause === 'scopes' ? ' with more permissions' : ''
    prompter.print(`Connect ${escapeToOneLine(integrationWords(integration))}${again}:`)
    if (!('url' in flow)) {
      prompter.print('  This account can only be connected in the application.')
      continue
    }
    prompter.print(`  at ${hostOf(flow.url)}\n  ${escapeToOneLine(flow.url)}`)
    await openUrl(flow.url)
    const typed = (await prompter.line('[Enter when done / n = stop this task] ', { signal })).trim().toLowerCase()
    if (typed === 'n' || typed === 'no') return client.cancelRun(generationId)
    await client.submitAuthResult(generationId, integration, true)
  }
  prompter.print('Waiting for the server to confirm …')
  await new Promise<void>((done) => {
    if (signal.aborted) done()
    signal.addEventListener('abort', () => done(), { once: true })
  })
}
