import { channelSuite } from '@holdpoint/conformance/channel'
import { longPoll, sse } from '@holdpoint/core'
import type { HttpOptions } from '@holdpoint/core/internal'
import { afterEach, beforeEach, vi } from 'vitest'
import { shells } from '../http/support/servers.ts'
import { httpWiring } from './support/http-wiring.ts'
import { makeWorld } from './support/world.ts'

// Hono's server says on the console that a response ended before its time.
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

const shell = (name: string) => {
  const found = shells[name]
  if (!found) throw new Error(`there is no shell ${name}`)
  return found
}

channelSuite('SSE on node:http', {
  credentials: true,
  make: (tuning) => makeWorld((wired) => httpWiring(wired, shell('node:http'), sse), tuning),
})

channelSuite('SSE on Express behind compression()', {
  credentials: true,
  make: (tuning) => makeWorld((wired) => httpWiring(wired, shell('express behind compression()'), sse), tuning),
})

channelSuite('SSE on Hono, through web streams', {
  credentials: true,
  make: (tuning) => makeWorld((wired) => httpWiring(wired, shell('serve({ fetch: holdpoint.fetch })'), sse), tuning),
})

channelSuite('long poll', {
  credentials: true,
  make: (tuning) => makeWorld((wired) => httpWiring(wired, shell('node:http'), quickPoll, ''), tuning),
})

/** Polls that end soon, so that a test need not wait for one to be over. */
function quickPoll(options: HttpOptions) {
  return longPoll({ ...options, waitSeconds: 1 })
}
