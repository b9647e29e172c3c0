import { createHoldpointClient, longPoll, sse, websocket } from '@holdpoint/core'
import { expect, test } from 'vitest'

const client = (options: object | undefined) => () => createHoldpointClient(options as never)
const transport = sse({ url: '/holdpoint' })

test.each([
  ['createHoldpointClient without options', client(undefined), 'sessionId'],
  ['createHoldpointClient without a session', client({ sessionId: undefined, transport }), 'sessionId'],
  ['createHoldpointClient with an empty session', client({ sessionId: '', transport }), 'sessionId'],
  ['createHoldpointClient without a transport', client({ sessionId: 'task-42' }), 'transport'],
  ['sse without options', () => sse(undefined as never), 'url'],
  ['sse without an address', () => sse({} as never), 'url'],
  ['longPoll without an address', () => longPoll({} as never), 'url'],
  ['websocket without an address', () => websocket({} as never), 'url'],
])('%s is rejected with the name of the missing option', (_what, make, option) => {
  expect(make).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: `The option "${option}" is missing or empty.` }),
  )
})
