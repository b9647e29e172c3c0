import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { guardUrl } from './guard-url.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { publicAddressCheck } from './ranges.ts'

const open: { close(): void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function listen(handle: RequestListener): Promise<number> {
  const server = createServer(handle)
  open.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

const refused = { code: 'url_not_allowed' }

describe('addresses', () => {
  const isPublic = publicAddressCheck()
  test.each(['93.184.215.14', '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])(
    'the address %s is public',
    (address) => {
      expect(isPublic(address)).toBe(true)
    },
  )
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:169.254.169.254',
    '::ffff:7f00:1',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '2001:db8::1',
    'not an address',
    '',
  ])('the address %s is rejected as not public', (address) => {
    expect(isPublic(address)).toBe(false)
  })
})

describe('texts', () => {
  const rules = { allowedHosts: ['api.example.com', '*.agents.example.com'] }
  test.each(['https://api.example.com/x', 'https://a.agents.example.com', 'https://API.example.com:8443/'])(
    'the URL %s is allowed',
    (url) => {
      expect(guardUrl(url, rules).protocol).toBe('https:')
    },
  )
  test.each([
    'http://api.example.com/',
    'https://evil.example/',
    'https://agents.example.com/',
    'https://xagents.example.com/',
    'https://api.example.com.evil.example/',
    'https://api.example.com./',
    'https://user:pass@api.example.com/',
    'https://api.example.com@evil.example/',
    'file:///etc/passwd',
    'gopher://api.example.com/',
    'data:text/plain,x',
    'https://169.254.169.254/latest',
    'https://[::ffff:a9fe:a9fe]/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://127.1/',
    '//api.example.com/',
    '',
  ])('the URL %j is rejected', (url) => {
    expect(() => guardUrl(url, rules)).toThrow(expect.objectContaining(refused))
    expect(() => guardUrl(url, { ...rules, allowLoopback: false })).toThrow(expect.objectContaining(refused))
  })
  test('without a list of hosts private addresses are still rejected', () => {
    expect(() => guardUrl('https://10.0.0.1/', {})).toThrow(expect.objectContaining(refused))
    expect(() => guardUrl('http://127.0.0.1/', {})).toThrow(expect.objectContaining(refused))
  })
})

describe('connections', () => {
  test.each([[['169.254.169.254']], [['93.184.215.14', '10.0.0.1']], [['::1']], [[]]])(
    'a name that resolves to %j is rejected before any byte is sent [T27.1]',
    async (addresses) => {
      const fetch = createGuardedFetch({
        lookup: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      })
      await expect(fetch('https://metadata.example/')).rejects.toMatchObject(refused)
    },
  )

  test('the connection uses the checked address, because a name is resolved once [T27.3]', async () => {
    const port = await listen((_request, response) => response.end('hello'))
    let asked = 0
    const rebinding = createGuardedFetch({
      allowLoopback: true,
      // The first answer passes, every later one would not.
      addressAllowed: (address) => address === '127.0.0.1',
      lookup: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '169.254.169.254', family: 4 }],
    })
    expect(await (await rebinding(`http://localhost:${port}/`)).text()).toBe('hello')
    expect(asked).toBe(1)
    await expect(rebinding(`http://localhost:${port}/`)).rejects.toMatchObject(refused)
  })

  test('a redirect is rejected, whatever its target [T27.2]', async () => {
    let followed = false
    const port = await listen((request, response) => {
      if (request.url === '/next') followed = true
      response.writeHead(302, { location: '/next' }).end()
    })
    const fetch = createGuardedFetch({ allowLoopback: true })
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(refused)
    expect(followed).toBe(false)
  })

  test('loopback addresses are rejected by default', async () => {
    const port = await listen((_request, response) => response.end())
    await expect(createGuardedFetch()(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(refused)
  })

  test.each([204, 205, 304])('a response with status %i and no body is returned', async (status) => {
    const port = await listen((_request, response) => response.writeHead(status, { 'x-seen': 'yes' }).end())
    const answer = await createGuardedFetch({ allowLoopback: true })(`http://127.0.0.1:${port}/`)
    expect([answer.status, answer.body, answer.headers.get('x-seen')]).toEqual([status, null, 'yes'])
  })

  test('a request sends method, headers and body, and its response has status, headers and body', async () => {
    const port = await listen(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      response.writeHead(418, { 'x-answer': 'yes' }).end(`${request.method} ${request.headers['x-ask']} ${body}`)
    })
    const fetch = createGuardedFetch({ allowLoopback: true })
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'x-ask': 'please' },
      body: new URLSearchParams({ a: 'ü' }),
    })
    expect([response.status, response.headers.get('x-answer'), await response.text()]).toEqual([
      418,
      'yes',
      'POST please a=%C3%BC',
    ])
  })

  test('a large, a slow and a missing response are named errors that quote no address', async () => {
    const large = await listen((_request, response) => response.end('x'.repeat(2_000)))
    const slow = await listen(() => {})
    const fetch = createGuardedFetch({ allowLoopback: true, maxBytes: 1_000, timeoutMs: 200 })
    await expect(fetch(`http://127.0.0.1:${large}/`)).rejects.toMatchObject({ code: 'response_too_large' })
    await expect(fetch(`http://127.0.0.1:${slow}/`)).rejects.toMatchObject({ code: 'unreachable' })
    const error = await fetch('http://127.0.0.1:1/?token=abc').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'unreachable' })
    expect(inspect(error, { depth: 9 })).not.toMatch(/token=abc|127\.0\.0\.1/)
  })
})
