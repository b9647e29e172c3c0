import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import type { Principal } from '../../base/principal.ts'
import { refusal, tenantOf } from '../access/authorize.ts'
import type { Reply } from '../api/engine.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { retryUntilStored } from '../kernel/retry-until-stored.ts'
import { userPartition } from '../records/keys.ts'

/** A user's setting for a tool. */
export interface ToolSetting {
  toolName: string
  choice: string
  setAt: Date
  /** The user who set it, if it was another one. */
  setBy?: string
}

interface Owner {
  tenant: string
  userId: string
}

export async function toolSettingOf(kernel: Kernel, user: Owner & { toolName: string }): Promise<string | null> {
  await retryUntilStored(kernel, () => kernel.ready())
  const partition = userPartition(user.tenant, user.userId)
  const [row] = await retryUntilStored(kernel, () =>
    kernel.transact(partition, (tx) => tx.read(['tool_setting', user.toolName])),
  )
  return row?.choice ?? null
}

/** Remembers a choice for all sessions of the user, from the next call on. */
export async function setToolSetting(
  kernel: Kernel,
  { tenant, userId, toolName, choice, by }: Owner & { toolName: string; choice: string; by?: string },
): Promise<void> {
  await kernel.ready()
  const offered = kernel.toolChoices().get(toolName)
  if (!offered) throw unknownToolSetting(toolName)
  if (!offered.includes(choice)) throw unknownToolSetting(toolName, choice, offered)
  await kernel.transact(userPartition(tenant, userId), async (tx) => {
    await tx.read(['tool_setting', toolName])
    tx.put('tool_setting', toolName, { tool: toolName, choice, at: tx.now, ...(by !== undefined && { by }) })
  })
}

export async function listToolSettings(kernel: Kernel, { tenant, userId }: Owner): Promise<ToolSetting[]> {
  await kernel.ready()
  const rows = await kernel.store.list(userPartition(tenant, userId), 'tool_setting')
  return kernel.rows.all('tool_setting', rows).map(({ tool: toolName, choice, at, by }) => {
    return { toolName, choice, setAt: new Date(at), ...(by !== undefined && { setBy: by }) }
  })
}

/** Restores the tool's default. Returns the number of removed settings. */
export async function revokeToolSetting(
  kernel: Kernel,
  { tenant, userId, toolName }: Owner & { toolName?: string },
): Promise<number> {
  const names =
    toolName === undefined
      ? (await listToolSettings(kernel, { tenant, userId })).map((one) => one.toolName)
      : [toolName]
  await kernel.ready()
  return await kernel.transact(userPartition(tenant, userId), async (tx) => {
    const rows = await tx.read(...names.map((name) => ['tool_setting', name] as const))
    names.forEach((name, index) => {
      if (rows[index]) tx.delete('tool_setting', name)
    })
    return rows.filter((row) => row !== null).length
  })
}

/** The settings that a user may choose, and the chosen ones, for a settings page. */
export async function offeredToolSettings(kernel: Kernel, principal: Principal): Promise<Reply> {
  const chosen = await listToolSettings(kernel, { tenant: tenantOf(principal), userId: principal.userId })
  const toolSettings = [...kernel.toolChoices()].map(([toolName, choices]) => {
    const own = chosen.find((one) => one.toolName === toolName)
    return { toolName, choices, choice: own?.choice ?? null, ...(own && { setAt: own.setAt.toISOString() }) }
  })
  return { status: 200, body: { toolSettings } }
}

/** A request to change a setting: for oneself, or for another user if the host permits it. */
export async function chooseToolSetting(
  kernel: Kernel,
  principal: Principal,
  { toolName, choice, userId = principal.userId }: { toolName: string; choice: string | null; userId?: string },
): Promise<Reply> {
  const own = userId === principal.userId
  const { authorizeToolSetting } = kernel.settings
  const allowed = authorizeToolSetting ? await authorizeToolSetting({ principal, userId, toolName, choice }) : own
  if (!allowed) {
    kernel.log.info('refused: may not change a tool setting', { userId: principal.userId, of: userId, toolName })
    return refusal('forbidden', {
      message: 'You may not change this tool setting. Users change only their own, unless the host allows more.',
    })
  }
  const owner = { tenant: tenantOf(principal), userId }
  try {
    if (choice === null) await revokeToolSetting(kernel, { ...owner, toolName })
    else await setToolSetting(kernel, { ...owner, toolName, choice, ...(!own && { by: principal.userId }) })
  } catch (error) {
    if (!isHoldpointError(error, 'unknown_tool_setting')) throw error
    return refusal('unknown_tool_setting', { message: error.message })
  }
  return { status: 200, body: { status: 'accepted' } }
}

function unknownToolSetting(toolName: string, choice?: string, offered: readonly string[] = []): HoldpointError {
  return new HoldpointError(
    'unknown_tool_setting',
    choice === undefined
      ? `"${toolName}" is no tool of this process with settings that a user may choose. Register it with holdpoint.tool(withPolicy({ … }, { choices })).`
      : `"${choice}" is no choice for ${toolName}. It offers: ${offered.join(', ')}.`,
    { details: { toolName, ...(choice !== undefined && { choice, offered }) } },
  )
}
