import { schemas } from '@holdpoint/core/protocol'
import { z } from 'zod'
import { checkBody } from '../requests/check-body.ts'
import { type Outgoing, responseOfReply } from '../responses/http-response.ts'
import type { UserContext } from '../routing/route.ts'

const choice = z.strictObject({ toolName: schemas.id, choice: schemas.id.nullable(), userId: schemas.id.optional() })

/** `GET /tool-settings`: lists the tool settings that this user may choose, and the chosen ones. */
export async function toolSettings({ engine, principal }: UserContext): Promise<Outgoing> {
  return responseOfReply(await engine.toolSettings(principal))
}

/** `POST /tool-settings` with `{ toolName, choice }`: stores a tool setting; null restores the tool's own default. */
export async function setToolSetting({ engine, principal, json }: UserContext): Promise<Outgoing> {
  const { userId, ...rest } = checkBody(choice, await json())
  return responseOfReply(await engine.setToolSetting(principal, { ...rest, ...(userId !== undefined && { userId }) }))
}
