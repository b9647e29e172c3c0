import { BlockList, isIP } from 'node:net'

/** Ranges to which requests are forbidden: private, loopback, link-local (metadata services) and reserved. */
const V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/**
 * Forbidden ranges inside 2000::/3, the only range that is routed: documentation, and addresses that embed an IPv4
 * address.
 */
const V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

export type AddressCheck = (address: string) => boolean

/**
 * Returns a function that checks whether an IP address is on the open internet. It returns false for text that is not
 * an address.
 */
export function publicAddressCheck(): AddressCheck {
  const blocked = new BlockList()
  for (const [net, bits] of V4) blocked.addSubnet(net, bits, 'ipv4')
  for (const [net, bits] of V6) blocked.addSubnet(net, bits, 'ipv6')
  const global = new BlockList()
  global.addSubnet('2000::', 3, 'ipv6')
  return (address) => {
    const family = isIP(address)
    if (family === 4) return !blocked.check(address, 'ipv4')
    return family === 6 && global.check(address, 'ipv6') && !blocked.check(address, 'ipv6')
  }
}

/** Returns whether an address is in 127.0.0.0/8 or ::1, which the development option permits. */
export function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}
