/** Where a Request keeps the address of the socket that it came over. Headers would be the client's to write. */
const REMOTE_ADDRESS = Symbol('holdpoint.remoteAddress')

/** Notes the socket's address on a Request; an unknown one is left out. */
export function withRemoteAddress(request: Request, address: string | undefined): Request {
  return address === undefined ? request : Object.defineProperty(request, REMOTE_ADDRESS, { value: address })
}

/** The address of the socket, where the server's shell knows it. */
export function remoteAddressOf(request: Request): string | undefined {
  return (request as { [REMOTE_ADDRESS]?: string })[REMOTE_ADDRESS]
}

export const isLoopback = (address: string): boolean => /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/.test(address)
