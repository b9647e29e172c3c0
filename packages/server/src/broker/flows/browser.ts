import { hashOf, sameText } from '../../security/hashes.ts'
import type { FlowRow } from '../shared/flow-row.ts'

/**
 * Binds a flow to the browser that opened it. A browser that opened a forwarded consent link returns without this
 * cookie. The prefix `__Host-` prevents other subdomains from setting the cookie.
 */
export function browserCookie(stateHash: string, secure: boolean) {
  const name = `${secure ? '__Host-' : ''}hp_flow_${stateHash.slice(0, 16)}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=600${secure ? '; Secure' : ''}`
  return {
    set: (value: string) => `${name}=${value}; ${attributes}`,
    clear: `${name}=; ${attributes.replace('Max-Age=600', 'Max-Age=0')}`,
    read(header: string | null): string | undefined {
      const pairs = (header ?? '').split(';').map((pair) => pair.trim())
      return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
    },
  }
}

export async function isSameBrowser(row: FlowRow, cookie: string | undefined): Promise<boolean> {
  return cookie !== undefined && row.browser !== undefined && sameText(await hashOf(cookie), row.browser)
}
