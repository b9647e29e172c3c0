import { openAiAgents } from '@holdpoint/server/openai-agents'
import { run } from '@openai/agents'
import { versionOf } from '../../support/report.ts'
import type { Place } from '../../support/stores.ts'
import { bridged } from './bridged.ts'
import { nameOf } from './holdpoint.ts'
import { cleaner } from './openai-agents.ts'
import { PROMPT, type ResumePeer } from './peer.ts'

const NAME = '@openai/agents'
const vaultKeys = [{ id: 'k1', key: Buffer.alloc(32, 7).toString('base64') }]

/** The same agent, with its tools and its state in Holdpoint. Each tab answers and resumes, whatever its answer became. */
export function holdpointOpenAiAgentsPeer(place: Place): ResumePeer {
  const { holdpoint, expecting, commits, close } = bridged(place, { security: { vaultKeys } })
  return {
    name: `Holdpoint with ${NAME} ${versionOf(NAME)}`,
    bridges: NAME,
    commits,
    store: nameOf(place),
    async ask(effect) {
      const id = crypto.randomUUID()
      const turn = async (input?: string) => {
        const hp = openAiAgents(holdpoint, { sessionId: id, userId: 'ada', runId: id })
        const agent = cleaner(effect, hp.tools)
        await hp.suspended(await run(agent, (await hp.resumeOr(agent, input)) as never))
      }
      const answer = await expecting(id, () => turn(PROMPT))
      return async (tab) => {
        const counts = await answer(tab)
        await turn()
        counts()
      }
    },
    close,
  }
}
