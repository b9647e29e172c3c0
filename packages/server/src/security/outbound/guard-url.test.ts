import { expect, test } from 'vitest'
import { guardUrl } from './guard-url.ts'

const refused = expect.objectContaining({ code: 'url_not_allowed' })

test.each([
  ['http://api.example.com/', {}],
  ['http://api.example.com/', { allowLoopback: true }],
  ['https://93.184.216.34/', { allowLoopback: true }],
  ['http://127.0.0.1/', {}],
  ['https://127.0.0.1/', {}],
  ['https://other.example.com/', { allowLoopback: true, allowedHosts: ['api.example.com'] }],
  ['https://example.com/', { allowedHosts: ['*.example.com'] }],
  ['https://.example.com/', { allowedHosts: ['*.example.com'] }],
  ['http://127.evil.example/', { allowLoopback: true }],
  ['ftp://127.0.0.1/', { allowLoopback: true }],
  ['https://user@api.example.com/', {}],
  ['https://:pass@api.example.com/', {}],
  ['https://api.example.com./', {}],
  ['not a url', {}],
])('%s with %j is rejected', (address, rules) => {
  expect(() => guardUrl(address, rules)).toThrow(refused)
})

test.each([
  ['https://api.example.com/a', {}],
  ['https://api.example.com/a', { allowedHosts: ['*.example.com'] }],
  ['https://api.example.com/a', { allowedHosts: ['other.example.com', 'API.Example.com'] }],
  ['https://localhost/', { allowLoopback: true }],
  ['http://127.0.0.1:8080/', { allowLoopback: true }],
  ['http://localhost:8080/', { allowLoopback: true, allowedHosts: ['api.example.com'] }],
  ['http://[::1]:8080/', { allowLoopback: true }],
])('%s with %j is allowed', (address, rules) => {
  expect(guardUrl(address, rules).href).toBe(address)
})
