import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { HoldpointError, isHoldpointError } from '@holdpoint/core'
import { guardUrl, type UrlRules } from './guard-url.ts'
import { isLoopback, publicAddressCheck } from './ranges.ts'

/** Limits of a guarded fetch. The defaults suit the open internet; tests and private networks set their own. */
export interface GuardedFetchOptions extends UrlRules {
  /**
   * The maximum number of bytes of a response.
   *
   * @default 1 MiB
   */
  maxBytes?: number
  /**
   * Milliseconds from the start of a request to the last byte of its response.
   *
   * @default 15_000
   */
  timeoutMs?: number
  /**
   * Returns all addresses of a host name.
   *
   * @default the system's resolver
   */
  lookup?: (host: string) => Promise<readonly LookupAddress[]>
  /**
   * Returns whether an IP address may be connected to.
   *
   * @default only addresses on the open internet
   */
  addressAllowed?: (address: string) => boolean
}

export interface GuardedRequest {
  method?: string | undefined
  headers?: Record<string, string> | undefined
  body?: string | Uint8Array | URLSearchParams | undefined
  signal?: AbortSignal | undefined
}

/** A fetch for untrusted addresses: it rejects private networks and redirects. */
export type GuardedFetch = (url: string | URL, request?: GuardedRequest) => Promise<Response>

/**
 * Creates a fetch for untrusted addresses, such as webhooks, remote agents and icons. It allows only `https:` and the
 * listed hosts, and follows no redirects. Names are resolved once, every address is checked, and the connection uses a
 * checked address. A name that resolves differently a moment later (DNS rebinding) therefore has no effect.
 *
 * @example
 * const fetch = createGuardedFetch({ allowedHosts: ['agents.example.com'] })
 * const response = await fetch('https://agents.example.com/sessions', { method: 'POST', body: '{}' })
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const isPublic = options.addressAllowed ?? publicAddressCheck()
  const allowed = (address: string) => isPublic(address) || (options.allowLoopback === true && isLoopback(address))
  const resolve = options.lookup ?? ((host: string) => systemLookup(host, { all: true }))
  const maxBytes = options.maxBytes ?? 1024 * 1024
  const timeoutMs = options.timeoutMs ?? 15_000

  const checkedAddresses = async (host: string) => {
    const addresses = await resolve(host)
    if (addresses.length === 0 || !addresses.every(({ address }) => allowed(address))) {
      throw new HoldpointError(
        'url_not_allowed',
        'This address may not be called: its name leads to a private, reserved or loopback address.',
      )
    }
    return addresses
  }

  return async (address, { method = 'GET', headers = {}, body, signal } = {}) => {
    const url = guardUrl(address, options)
    const late = AbortSignal.timeout(timeoutMs)
    const abort = signal ? AbortSignal.any([signal, late]) : late
    const content = body === undefined ? undefined : Buffer.from(body instanceof URLSearchParams ? `${body}` : body)
    try {
      const answer = await new Promise<IncomingMessage>((done, failed) => {
        const make = url.protocol === 'https:' ? httpsRequest : httpRequest
        const outgoing = make(url, {
          method,
          headers: { ...headers, ...(content && { 'content-length': content.byteLength }) },
          signal: abort,
          // Uses no pooled socket, because it may have been opened to an unchecked address.
          agent: false,
          lookup: pinned(checkedAddresses),
        })
        outgoing.once('response', done).once('error', failed).end(content)
      })
      const status = answer.statusCode ?? 0
      if (status >= 300 && status < 400 && status !== 304) {
        answer.destroy()
        throw new HoldpointError(
          'url_not_allowed',
          'The address responded with a redirect, and redirects are not followed.',
        )
      }
      return new Response(bodyless(status) ? null : await read(answer, maxBytes), {
        status,
        headers: headersOf(answer),
      })
    } catch (error) {
      throw isHoldpointError(error) ? error : unreachable(late.aborted)
    }
  }
}

type Callback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/**
 * Returns a `lookup` function for Node, which connects to exactly the addresses that it returns. No other address can
 * be used after the check.
 */
function pinned(addressesOf: (host: string) => Promise<readonly LookupAddress[]>) {
  return (host: string, { all }: LookupOptions, callback: Callback) => {
    addressesOf(host).then(
      (addresses) => {
        const [first] = addresses
        if (all) callback(null, [...addresses])
        else callback(null, first?.address ?? '', first?.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
}

async function read(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Uint8Array>) {
    size += part.byteLength
    if (size > maxBytes) {
      answer.destroy()
      throw new HoldpointError('response_too_large', `The answer is larger than ${maxBytes} bytes; it was not read.`)
    }
    parts.push(part)
  }
  return Uint8Array.from(Buffer.concat(parts))
}

function headersOf({ headers }: IncomingMessage): Headers {
  const made = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) made.append(name, one)
  }
  return made
}

const bodyless = (status: number) => status === 204 || status === 205 || status === 304

/**
 * Returns an error without its cause, because the cause names hosts and ports, and a client could use it to probe the
 * network.
 */
function unreachable(timedOut: boolean): HoldpointError {
  return new HoldpointError(
    'unreachable',
    timedOut ? 'The address did not answer in time.' : 'The address cannot be reached.',
  )
}
