import { HoldpointError } from '@holdpoint/core'
import type { Principal } from '../../base/principal.ts'
import { hashOf } from '../../security/hashes.ts'
import { identityRef } from '../../security/keys.ts'
import { changeRow, readRow } from '../../store/shared/change-row.ts'
import type { Profile } from '../oauth/profile.ts'
import type { OAuthProvider } from '../oauth/provider.ts'
import type { Broker } from '../shared/broker.ts'
import { sameUser } from '../shared/flow-row.ts'

/** Links a person at a service to a user. */
interface IdentityRow {
  owner: Principal
}

/** Returns the user who signs in with this account: the linked one, the one that the host returns, or a new one. */
export async function ownerOfIdentity(broker: Broker, provider: OAuthProvider, profile: Profile): Promise<Principal> {
  const { personId, user } = profile
  if (personId === null) {
    throw new HoldpointError(
      'cannot_sign_in',
      `${provider.name} does not identify people, so it cannot be used to sign in. Connect another service first.`,
    )
  }
  const { row } = await readRow<IdentityRow>(broker.store, await refOf(provider, personId))
  if (row) return row.owner
  const { identify } = broker.options
  if (!identify) return { userId: `${provider.id}:${personId}` }
  const owner = await identify({ integration: provider.id, personId, user })
  if (owner) return owner
  throw new HoldpointError('not_known', `No user here has this ${provider.name} account.`)
}

/** Links an account to a user, unless it already belongs to one. */
export async function linkIdentity(
  broker: Broker,
  provider: OAuthProvider,
  profile: Profile,
  owner: Principal,
): Promise<void> {
  if (profile.personId === null) return
  const { userId, tenant } = owner
  const bare = { userId, ...(tenant !== undefined && { tenant }) }
  await changeRow<IdentityRow, void>(broker, await refOf(provider, profile.personId), (row) =>
    row ? { result: undefined } : { put: { owner: bare }, result: undefined },
  )
}

/** Removes the link of this account to the user who signs in with it, if the account was theirs. */
export async function unlinkIdentity(
  broker: Broker,
  provider: OAuthProvider,
  profile: Profile,
  owner: Principal,
): Promise<void> {
  if (profile.personId === null) return
  await changeRow<IdentityRow, void>(broker, await refOf(provider, profile.personId), (row) => ({
    remove: row !== null && sameUser(row.owner, owner),
    result: undefined,
  }))
}

const refOf = async (provider: OAuthProvider, personId: string) => identityRef(provider.id, await hashOf(personId))
