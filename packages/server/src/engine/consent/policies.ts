import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import { refusal, tenantOf } from '../access/authorize.ts'
import type { Principal, Reply } from '../api/engine.ts'
import type { Core } from '../kernel/kernel.ts'
import { persist } from '../kernel/retry-until-stored.ts'
import { userPartition } from '../records/keys.ts'

/** What a user chose for a tool. */
export interface PolicyChoice {
  toolName: string
  choice: string
  setAt: Date
  /** Who set it, when that was somebody else. */
  setBy?: string
}

interface Owner {
  tenant: string
  userId: string
}

export async function policyChoice(core: Core, who: Owner & { toolName: string }): Promise<string | null> {
  await persist(core, () => core.ready())
  const partition = userPartition(who.tenant, who.userId)
  const [row] = await persist(core, () => core.transact(partition, (tx) => tx.read(['policy', who.toolName])))
  return row?.choice ?? null
}

/** Remembers a choice for all sessions of the user, from the next call on. */
export async function setPolicy(
  core: Core,
  { tenant, userId, toolName, choice, by }: Owner & { toolName: string; choice: string; by?: string },
): Promise<void> {
  await core.ready()
  const offered = core.tools.choices().get(toolName)
  if (!offered) throw unknownPolicy(toolName)
  if (!offered.includes(choice)) throw unknownPolicy(toolName, choice, offered)
  await core.transact(userPartition(tenant, userId), async (tx) => {
    await tx.read(['policy', toolName])
    tx.put('policy', toolName, { tool: toolName, choice, at: tx.now, ...(by !== undefined && { by }) })
  })
}

export async function listPolicies(core: Core, { tenant, userId }: Owner): Promise<PolicyChoice[]> {
  await core.ready()
  const rows = await core.store.list(userPartition(tenant, userId), 'policy')
  return core.rows.all('policy', rows).map(({ tool: toolName, choice, at, by }) => {
    return { toolName, choice, setAt: new Date(at), ...(by !== undefined && { setBy: by }) }
  })
}

/** Back to what the tool does by itself. Says how many choices there were. */
export async function revokePolicy(
  core: Core,
  { tenant, userId, toolName }: Owner & { toolName?: string },
): Promise<number> {
  const names =
    toolName === undefined ? (await listPolicies(core, { tenant, userId })).map((one) => one.toolName) : [toolName]
  await core.ready()
  return await core.transact(userPartition(tenant, userId), async (tx) => {
    const rows = await tx.read(...names.map((name) => ['policy', name] as const))
    names.forEach((name, index) => {
      if (rows[index]) tx.delete('policy', name)
    })
    return rows.filter((row) => row !== null).length
  })
}

/** What a person may choose, and what was chosen, for a settings page. */
export async function offeredPolicies(core: Core, principal: Principal): Promise<Reply> {
  const chosen = await listPolicies(core, { tenant: tenantOf(principal), userId: principal.userId })
  const policies = [...core.tools.choices()].map(([toolName, choices]) => {
    const own = chosen.find((one) => one.toolName === toolName)
    return { toolName, choices, choice: own?.choice ?? null, ...(own && { setAt: own.setAt.toISOString() }) }
  })
  return { status: 200, body: { policies } }
}

/** A request to choose: for oneself, unless the host lets somebody choose for others, or not at all. */
export async function choosePolicy(
  core: Core,
  principal: Principal,
  { toolName, choice, userId = principal.userId }: { toolName: string; choice: string | null; userId?: string },
): Promise<Reply> {
  const own = userId === principal.userId
  const { authorizePolicy } = core.settings
  const allowed = authorizePolicy ? await authorizePolicy({ principal, userId, toolName, choice }) : own
  if (!allowed) {
    core.log.info('refused: may not set a policy', { userId: principal.userId, of: userId, toolName })
    return refusal('forbidden', {
      message: 'You may not set this policy. Everybody chooses for themselves, unless the host lets somebody.',
    })
  }
  const owner = { tenant: tenantOf(principal), userId }
  try {
    if (choice === null) await revokePolicy(core, { ...owner, toolName })
    else await setPolicy(core, { ...owner, toolName, choice, ...(!own && { by: principal.userId }) })
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
