import { holdpointMiddleware } from '@holdpoint/server/langchain'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { Command, MemorySaver } from '@langchain/langgraph'
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware, tool } from 'langchain'
import { z } from 'zod'
import { versionOf } from '../../support/report.ts'
import type { Place } from '../../support/stores.ts'
import { bridged } from './bridged.ts'
import { nameOf } from './holdpoint.ts'
import { FILES, PROMPT, type ResumePeer } from './peer.ts'

/** Calls the tool for a message of the user, and ends when the tool has run. */
class Model extends BaseChatModel {
  constructor() {
    super({})
  }
  _llmType() {
    return 'bench'
  }
  override bindTools() {
    return this
  }
  async _generate(messages: BaseMessage[]) {
    const call = { id: 'call-1', name: 'delete_files', args: { files: FILES }, type: 'tool_call' as const }
    const asked = messages.at(-1)?.getType() === 'human'
    const message = asked ? new AIMessage({ content: '', tool_calls: [call] }) : new AIMessage('Done.')
    return { generations: [{ text: '', message }] }
  }
}

const NAME = 'langchain'

/** Two copies of LangChain, this folder's and the workspace's, have types of their own. */
function agentWith(middleware: object, effects: ReadonlyMap<string, () => void>) {
  const deleteFiles = tool(
    async ({ files }: { files: string[] }, { configurable }: { configurable?: { thread_id?: string } }) => {
      effects.get(configurable?.thread_id ?? '')?.()
      return `${files.length} deleted`
    },
    { name: 'delete_files', description: 'Deletes files', schema: z.object({ files: z.array(z.string()) }) },
  )
  return createAgent({
    model: new Model(),
    tools: [deleteFiles],
    checkpointer: new MemorySaver(),
    middleware: [middleware as AgentMiddleware],
  })
}

const begun = () => {
  const id = crypto.randomUUID()
  return {
    id,
    config: { configurable: { thread_id: id } },
    input: { messages: [new HumanMessage({ id, content: PROMPT })] },
  }
}

/** "Human-in-the-loop" of LangChain's agents: its middleware interrupts, and a `Command` resumes with the decision. */
export function langChainPeer(): ResumePeer {
  const effects = new Map<string, () => void>()
  const agent = agentWith(humanInTheLoopMiddleware({ interruptOn: { delete_files: true } } as never), effects)
  return {
    name: NAME,
    version: versionOf(NAME),
    store: 'memory',
    note: 'that a second run of a thread waits or is refused is done by its deployment platform, not by the library',
    async ask(effect) {
      const { id, config, input } = begun()
      effects.set(id, effect)
      await agent.invoke(input, config)
      return async () => await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), config)
    },
  }
}

/** The same agent with Holdpoint's middleware. Each tab answers and resumes the thread, whatever its answer became. */
export function holdpointLangChainPeer(place: Place): ResumePeer {
  const effects = new Map<string, () => void>()
  const { holdpoint, expecting, commits, close } = bridged(place)
  const agent = agentWith(
    holdpointMiddleware(holdpoint, { owner: { userId: 'ada' }, approve: { delete_files: true } }),
    effects,
  )
  return {
    name: `Holdpoint with ${NAME} ${versionOf(NAME)}`,
    bridges: NAME,
    commits,
    store: nameOf(place),
    async ask(effect) {
      const { id, config, input } = begun()
      effects.set(id, effect)
      const answer = await expecting(id, () => agent.invoke(input, config))
      return async (tab) => {
        const counts = await answer(tab)
        await agent.invoke(null, config)
        counts()
      }
    },
    close,
  }
}
