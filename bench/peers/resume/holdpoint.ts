import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { z } from 'zod'
import { engineOf } from '../../support/engine.ts'
import { person } from '../../support/person.ts'
import { type Place, storeAt } from '../../support/stores.ts'
import { type Answer, FILES, PROMPT, type ResumePeer } from './peer.ts'

/**
 * A durable tool that waits in the process that runs it. With two nodes it waits in the first, and tabs take turns
 * between them. All questions are in one session, or with `apart` each in its own.
 */
export function holdpointPeer(place: Place, nodes = 1, { apart = false } = {}): ResumePeer {
  const effects = new Map<string, () => void>()
  const ada = person()
  const holdpoints = Array.from({ length: nodes }, () =>
    createHoldpoint({
      store: storeAt(place),
      authenticate: () => ({ userId: 'ada' }),
      hooks: { onEvent: ada.onEvent },
    }),
  )
  const [first] = holdpoints as [Holdpoint]
  const deleteFiles = first.tool({
    name: 'delete_files',
    input: z.object({ question: z.string(), files: z.array(z.string()) }),
    execute: async ({ question, files }, ctx) => {
      await ctx.approve({ prompt: PROMPT, args: { files } })
      effects.get(question)?.()
      return { deleted: files.length }
    },
  })
  return {
    name: 'Holdpoint',
    store: nameOf(place) + (nodes > 1 ? `, ${nodes} nodes` : ''),
    async ask(effect): Promise<Answer> {
      const id = crypto.randomUUID()
      const sessionId = apart ? id : 's1'
      effects.set(id, effect)
      const asked = ada.question(first, sessionId, id)
      const ran = first
        .session(sessionId, { userId: 'ada' })
        .runTool(deleteFiles, { question: id, files: FILES }, { runId: `run-${id}`, toolCallId: id })
      const message = ada.message(await asked)
      return async (tab) => {
        const engine = engineOf(holdpoints[tab % nodes] as Holdpoint)
        const given = { ...message, clientId: `tab-${tab}`, answerId: `${id}-${tab}` }
        const { status, body } = await engine.answer({ userId: 'ada' }, sessionId, given)
        if (status !== 200) throw new Error(JSON.stringify(body))
        return await ran
      }
    },
    close: async () => await Promise.all(holdpoints.map((holdpoint) => holdpoint.close())),
  }
}

export const nameOf = ({ kind }: Place) =>
  ({ memory: 'memory', sqlite: 'SQLite, FULL', postgres: 'PostgreSQL', redis: 'Redis' })[kind]
