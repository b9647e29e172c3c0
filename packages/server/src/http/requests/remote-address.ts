/** The property of a Request with the address of its socket. A header would not do, because clients can set headers. */
const REMOTE_ADDRESS = Symbol('holdpoint.remoteAddress')

/** Stores the socket's address on a Request. Does nothing if the address is unknown. */
export function withRemoteAddress(request: Request, address: string | undefined): Request {
  return address === undefined ? request : Object.defineProperty(request, REMOTE_ADDRESS, { value: address })
}

/** Returns the address of the socket, or undefined if the runtime does not provide it. */
export function remoteAddressOf(request: Request): string | undefined {
  return (request as { [REMOTE_ADDRESS]?: string })[REMOTE_ADDRESS]
}

export const isLoopback = (address: string): boolean => /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/.test(address)
