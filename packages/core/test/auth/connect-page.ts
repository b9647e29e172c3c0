/** A page with a question that waits for Slack. Its client is a stub; its windows, channels and address are real. */
import type { ConnectState } from '../../src/connect/connect-account.ts'
import { connectAccount, type HoldpointClient, handleAuthReturn, type Interaction } from '../../src/index.ts'

const listeners = new Set<() => void>()
const question = {
  interactionId: 'i-1',
  kind: 'connect',
  status: 'pending',
  connected: [] as string[],
  request: { type: 'auth_needed', generationId: 'run-1', integrations: ['slack'] },
} as unknown as Interaction
let interactions = new Map([['i-1', question]])

/** Acts as the event stream: the server reports the state after any request to check. */
async function look(): Promise<void> {
  const { connected } = await (await fetch('/state')).json()
  if (connected && !interactions.get('i-1')!.connected.length) {
    interactions = new Map([['i-1', { ...question, connected: ['slack'] }]])
    for (const listener of listeners) listener()
  }
}

const client = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  getSnapshot: () => ({ interactions }),
  connectAccount: async (interactionId: string, integration: string, { returnTo = '' } = {}) =>
    (
      await fetch('/connect', { method: 'POST', body: JSON.stringify({ interactionId, integration, returnTo }) })
    ).json(),
  submitAuthResult: async (generationId: string, integration: string, success: boolean) => {
    await fetch('/hint', { method: 'POST', body: JSON.stringify({ generationId, integration, success }) })
    await look()
  },
} as unknown as HoldpointClient

const steps: ConnectState['step'][] = []
const page = Object.assign(globalThis, {
  steps,
  connected: () => interactions.get('i-1')!.connected,
  look,
  attempt: null as unknown,
})
document.body.innerHTML = '<button id="connect">Connect Slack</button><button id="again">Again</button>'
document.getElementById('connect')!.onclick = () => {
  const mode = new URLSearchParams(location.search).get('mode') === 'redirect' ? 'redirect' : 'popup'
  const attempt = connectAccount({
    client,
    interactionId: 'i-1',
    integration: 'slack',
    mode,
    onChange: ({ step }) => void steps.push(step),
  })
  page.attempt = attempt
  document.getElementById('again')!.onclick = () => void attempt.openAgain()
}
handleAuthReturn({ client }).then((returned) => Object.assign(globalThis, { returned }))
