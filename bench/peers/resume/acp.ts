import {
  type AgentContext,
  agent,
  type ClientRequestHandlersByMethod,
  client,
  type PermissionOption,
} from '@agentclientprotocol/sdk'
import { acpClient } from '@holdpoint/server/acp'
import { versionOf } from '../../support/report.ts'
import type { Place } from '../../support/stores.ts'
import { bridged } from './bridged.ts'
import { nameOf } from './holdpoint.ts'
import { FILES, PROMPT, type ResumePeer } from './peer.ts'

const NAME = '@agentclientprotocol/sdk'
const OPTIONS: PermissionOption[] = [
  { optionId: 'yes', kind: 'allow_once', name: 'Yes' },
  { optionId: 'no', kind: 'reject_once', name: 'No' },
]
type PermissionHandler = ClientRequestHandlersByMethod['session/request_permission']
type Decision = Awaited<ReturnType<PermissionHandler>>

/** An agent and an editor in this process, connected for as long as the peer lives. The id of the call names its session. */
async function connected(requestPermission: PermissionHandler) {
  const app = client({ name: 'editor' }).onRequest('session/request_permission', requestPermission)
  let close = () => {}
  const closing = new Promise<void>((resolve) => {
    close = resolve
  })
  let connection = Promise.resolve()
  const editor = await new Promise<AgentContext>((resolve, reject) => {
    connection = agent({ name: 'cleaner' }).connectWith(app, async (context) => {
      resolve(context)
      await closing
    })
    connection.catch(reject)
  })
  return {
    /** The agent asks for permission, and runs its tool if an option that allows is selected. */
    async run(id: string, effect: () => void) {
      const toolCall = { toolCallId: id, name: 'delete_files', title: PROMPT, rawInput: { files: FILES } }
      const { outcome } = await editor.request('session/request_permission', {
        ...{ sessionId: 's', toolCall: toolCall as never, options: OPTIONS },
      })
      if (outcome.outcome === 'selected' && outcome.optionId === 'yes') effect()
    },
    async close() {
      close()
      // The SDK rejects what is open with "connection closed".
      await connection.catch(() => {})
    },
  }
}

/** A permission request of the Agent Client Protocol: the editor's handler waits for its user, and the agent's tool runs. */
export async function acpPeer(): Promise<ResumePeer> {
  const waiting = new Map<string, (decide: (decision: Decision) => void) => void>()
  const { run, close } = await connected(
    ({ params }) => new Promise((resolve) => waiting.get(params.toolCall.toolCallId)?.(resolve)),
  )
  return {
    name: NAME,
    version: versionOf(NAME),
    store: 'an open connection',
    note: 'a request is gone when the connection or the process is',
    async ask(effect) {
      const id = crypto.randomUUID()
      const asked = new Promise<(decision: Decision) => void>((resolve) => waiting.set(id, resolve))
      const ran = run(id, effect)
      const decide = await asked
      waiting.delete(id)
      return async () => {
        decide({ outcome: { outcome: 'selected', optionId: 'yes' } })
        await ran
      }
    },
    close,
  }
}

/** The same editor with Holdpoint. */
export async function holdpointAcpPeer(place: Place): Promise<ResumePeer> {
  const { holdpoint, expecting, commits, close } = bridged(place)
  const connection = await connected((request) => {
    const sessionId = request.params.toolCall.toolCallId
    const hp = acpClient(holdpoint, { sessionId, userId: 'ada', runId: 'turn-1', agent: { name: 'Cleaner' } })
    return hp.requestPermission(request)
  })
  return {
    name: `Holdpoint with ${NAME} ${versionOf(NAME)}`,
    bridges: NAME,
    store: nameOf(place),
    commits,
    async ask(effect) {
      const id = crypto.randomUUID()
      let ran: Promise<void> | undefined
      const answer = await expecting(id, () => {
        ran = connection.run(id, effect)
      })
      return async (tab) => {
        const counts = await answer(tab)
        await ran
        counts()
      }
    },
    async close() {
      await connection.close()
      await close()
    },
  }
}
