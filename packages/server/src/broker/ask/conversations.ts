import type { Principal } from '../../base/principal.ts'
import { hashOf, randomToken, sameText } from '../../security/hashes.ts'
import { conversationRef, userPartition } from '../../security/keys.ts'
import type { Sealed } from '../../security/vault.ts'
import { changeRow, readRow } from '../../store/shared/change-row.ts'
import type { AskTurn } from '../shared/ask-types.ts'
import type { Broker } from '../shared/broker.ts'

/** The history of one interactive session. People type anything into a prompt, so it is encrypted like a token. */
interface ConversationRow {
  owner: string
  turns: Sealed
  until: number
}

const IDLE_MS = 24 * 60 * 60 * 1000
/** The maximum number of stored turns. Older ones are dropped. */
const MAX_TURNS = 100

export interface Conversation {
  sessionId: string
  turns: AskTurn[]
}

/**
 * Reads a conversation, or starts a new one if no id is given. Returns null if the conversation does not exist, has
 * expired, or belongs to another user.
 */
export async function openConversation(
  broker: Broker,
  principal: Principal,
  sessionId: string | undefined,
): Promise<Conversation | null> {
  if (sessionId === undefined) return { sessionId: `ask_${randomToken(broker.environment.randomBytes)}`, turns: [] }
  const hash = await hashOf(sessionId)
  const { now, row } = await readRow<ConversationRow>(broker.store, conversationRef(hash))
  const owner = userPartition(principal)
  if (!row || now >= row.until || !sameText(row.owner, owner)) return null
  return { sessionId, turns: await readTurns(broker, row, hash) }
}

/** Appends turns to a conversation. Turns that were added concurrently are kept. */
export async function addTurns(
  broker: Broker,
  principal: Principal,
  sessionId: string,
  added: AskTurn[],
): Promise<void> {
  const hash = await hashOf(sessionId)
  const owner = userPartition(principal)
  await changeRow<ConversationRow, void>(broker, conversationRef(hash), async (row, now) => {
    const before = row ? await readTurns(broker, row, hash) : []
    const turns = [...before, ...added].slice(-MAX_TURNS)
    const sealed = broker.vault.seal(JSON.stringify(turns), ['conversation', owner, hash])
    const until = now + IDLE_MS
    return { put: { owner, turns: sealed, until }, due: until, result: undefined }
  })
}

async function readTurns(broker: Broker, row: ConversationRow, hash: string): Promise<AskTurn[]> {
  return JSON.parse(broker.vault.open(row.turns, ['conversation', row.owner, hash]))
}
