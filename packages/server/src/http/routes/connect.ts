import { schemas } from '@holdpoint/core/protocol'
import { z } from 'zod'
import { checkBody } from '../requests/check-body.ts'
import { type Outgoing, responseOfReply } from '../responses/http-response.ts'
import type { UserContext } from '../routing/route.ts'
import { checkedReturn } from './checked-return.ts'
import { sessionOf } from './events.ts'

const connectBody = z.looseObject({
  interactionId: schemas.id,
  integration: schemas.id,
  returnTo: z.string().max(2_048).optional(),
})

/** `POST /sessions/:session/connect`: starts connecting one account of a question. */
export async function connectAccount(context: UserContext): Promise<Outgoing> {
  const sessionId = sessionOf(context.params)
  const { interactionId, integration, returnTo } = checkBody(connectBody, await context.json())
  const back = checkedReturn(context, returnTo)
  const body = { interactionId, integration, ...back }
  return responseOfReply(await context.engine.connect(context.principal, sessionId, body))
}
