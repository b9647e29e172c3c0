import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import type { Principal } from '../../base/principal.ts'
import { refusal, tenantOf } from '../access/authorize.ts'
import type { Reply } from '../api/engine.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { retryUntilStored } from '../kernel/retry-until-stored.ts'
import { userPartition } from '../records/keys.ts'

/** A user's setting for a tool. */
export interface PolicyChoice {
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

export async function policyChoice(kernel: Kernel, who: Owner & { toolName: string }): Promise<string | null> {
  await retryUntilStored(kernel, () => kernel.ready())
  const partition = userPartition(who.tenant, who.userId)
  const [row] = await retryUntilStored(kernel, () =>
    kernel.transact(partition, (tx) => tx.read(['policy', who.toolName])),
  )
  return row?.choice ?? null
}

/** Remembers a choice for all sessions of the user, from the next call on. */
export async function setPolicy(
  kernel: Kernel,
  { tenant, userId, toolName, choice, by }: Owner & { toolName: string; choice: string; by?: string },
): Promise<void> {
  await kernel.ready()
  const offered = kernel.toolChoices().get(toolName)
  if (!offered) throw unknownPolicy(toolName)
  if (!offered.includes(choice)) throw unknownPolicy(toolName, choice, offered)
  await kernel.transact(userPartition(tenant, userId), async (tx) => {
    await tx.read(['policy', toolName])
    tx.put('policy', toolName, { tool: toolName, choice, at: tx.now, ...(by !== undefined && { by }) })
  })
}

export async function listPolicies(kernel: Kernel, { tenant, userId }: Owner): Promise<PolicyChoice[]> {
  await kernel.ready()
  const rows = await kernel.store.list(userPartition(tenant, userId), 'policy')
  return kernel.rows.all('policy', rows).map(({ tool: toolName, choice, at, by }) => {
    return { toolName, choice, setAt: new Date(at), ...(by !== undefined && { setBy: by }) }
  })
}

/** Restores the tool's default. Returns the number of removed settings. */
export async function revokePolicy(
  kernel: Kernel,
  { tenant, userId, toolName }: Owner & { toolName?: string },
): Promise<number> {
  const names =
    toolName === undefined ? (await listPolicies(kernel, { tenant, userId })).map((one) => one.toolName) : [toolName]
  await kernel.ready()
  return await kernel.transact(userPartition(tenant, userId), async (tx) => {
    const rows = await tx.read(...names.map((name) => ['policy', name] as const))
    names.forEach((name, index) => {
      if (rows[index]) tx.delete('policy', name)
    })
    return rows.filter((row) => row !== null).length
  })
}

/** The settings that a user may choose, and the chosen ones, for a settings page. */
export async function offeredPolicies(kernel: Kernel, principal: Principal): Promise<Reply> {
  const chosen = await listPolicies(kernel, { tenant: tenantOf(principal), userId: principal.userId })
  const policies = [...kernel.toolChoices()].map(([toolName, choices]) => {
    const own = chosen.find((one) => one.toolName === toolName)
    return { toolName, choices, choice: own?.choice ?? null, ...(own && { setAt: own.setAt.toISOString() }) }
  })
  return { status: 200, body: { policies } }
}

/** A request to change a setting: for oneself, or for another user if the host permits it. */
export async function choosePolicy(
  kernel: Kernel,
  principal: Principal,
  { toolName, choice, userId = principal.userId }: { toolName: string; choice: string | null; userId?: string },
): Promise<Reply> {
  const own = userId === principal.userId
  const { authorizePolicy } = kernel.settings
  const allowed = authorizePolicy ? await authorizePolicy({ principal, userId, toolName, choice }) : own
  if (!allowed) {
    kernel.log.info('refused: may not set a policy', { userId: principal.userId, of: userId, toolName })
    return refusal('forbidden', {
      message: 'You may not set this policy. Users choose for themselves, unless the host allows more.',
    })
  }
  const owner = { tenant: tenantOf(principal), userId }
  try {
    if (choice === null) await revokePolicy(kernel, { ...owner, toolName })
    else await setPolicy(kernel, { ...owner, toolName, choice, ...(!own && { by: principal.userId }) })
  } catch (error) {
    if (!isHoldpointError(error, 'unknown_policy')) throw error
    return refusal('unknown_policy', { message: error.message })
  }
  return { status: 200, body: { status: 'accepted' } }
}

function unknownPolicy(toolName: string, choice?: string, offered: readonly string[] = []): HoldpointError {
  return new HoldpointError(
    'unknown_policy',
    choice === undefined
      ? `"${toolName}" is no tool of this process whose policy a user may choose. Register it with holdpoint.tool(withPolicy({ … }, { choices })).`
      : `"${choice}" is no choice for ${toolName}. It offers: ${offered.join(', ')}.`,
    { details: { toolName, ...(choice !== undefined && { choice, offered }) } },
  )
}
