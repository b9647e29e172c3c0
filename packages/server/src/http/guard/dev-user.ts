import { HoldpointError } from '@holdpoint/core'
import type { Principal } from '../../base/principal.ts'
import { isLoopback, remoteAddressOf } from '../requests/remote-address.ts'
import { isLocalHost } from './guard.ts'

/**
 * Authenticates every request as one user, for development on your own machine. It accepts a request only if NODE_ENV
 * is `development`, the Host is localhost and, in Node, the connection comes from this machine. It rejects all other
 * requests.
 *
 * @example createHoldpoint({ authenticate: devUser('ada') })
 */
export function devUser(
  user: string | Principal,
  environment: { NODE_ENV?: string | undefined } = globalThis.process?.env ?? {},
): (request: Request) => Principal {
  return (request) => {
    if (environment.NODE_ENV !== 'development') {
      refuse('it works with NODE_ENV=development only. Give createHoldpoint() an `authenticate` of your own')
    }
    if (!isLocalHost(request.headers.get('host') ?? new URL(request.url).host)) {
      refuse('it works under a localhost Host only. Open the page as http://localhost:…')
    }
    const from = remoteAddressOf(request)
    if (from !== undefined && !isLoopback(from)) {
      refuse('this request comes from another machine. Open the page on the machine where the server runs')
    }
    return typeof user === 'string' ? { userId: user } : user
  }
}

function refuse(why: string): never {
  throw new HoldpointError('not_authenticated', `devUser() rejected the request: ${why}.`)
}
