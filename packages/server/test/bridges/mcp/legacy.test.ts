import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as modern from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import * as modernServer from '@modelcontextprotocol/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bridge } from './support.ts'
import { DELETE, parsed, textOf, world } from './tools.ts'

const INFO = { name: 'files', version: '1.0.0' }
const EDITOR = { name: 'editor', version: '1.0.0' }
/** A transport in memory carries no token, so its user is fixed. */
const asAda = { principal: () => ({ userId: 'ada' }) }
const elicitation = { form: {}, url: {} }

type Handler = (params: { mode?: string; message: string; url?: string }) => ElicitResult | Promise<ElicitResult>

/** A client of SDK 1.x. */
async function client1(transport: Transport, answer: Handler, capabilities: object = { elicitation }): Promise<Client> {
  const client = new Client(EDITOR, { capabilities })
  if ('elicitation' in capabilities) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params as Parameters<Handler>[0]))
  }
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

async function inMemory(hp: ReturnType<typeof bridge>, answer: Handler, capabilities?: object): Promise<Client> {
  const server = new McpServer(INFO)
  hp.register(server)
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(ours)
  return await client1(theirs, answer, capabilities)
}
const yes: Handler = () => ({ action: 'accept', content: { decision: 'once' } })

describe('SDK 1.x in memory', () => {
  test('an approval in the form of the client runs the tool once', async () => {
    const { holdpoint, tools, ran } = world()
    const shown: string[] = []
    const client = await inMemory(bridge(holdpoint, tools, asAda), ({ message, ...rest }) => {
      shown.push(message)
      return yes({ message, ...rest })
    })
    expect(parsed(await client.callTool(DELETE))).toEqual({ done: 'delete_files' })
    expect(ran).toHaveLength(1)
    expect(shown).toEqual([expect.stringContaining('"a.txt"')])
  })

  test('a question stays open if the dialog is closed, and the repeated call continues it', async () => {
    const { holdpoint, human, tools, ran } = world()
    const client = await inMemory(bridge(holdpoint, tools, asAda), () => ({ action: 'cancel' }))
    expect(textOf(await client.callTool(DELETE))).toContain('Nothing was done yet')
    await human.approve(await human.next())
    expect(parsed(await client.callTool(DELETE))).toEqual({ done: 'delete_files' })
    expect(ran).toHaveLength(1)
  })

  test('a call with high risk is opened as a page, whose answer counts', async () => {
    const { holdpoint, human, tools } = world()
    const modes: (string | undefined)[] = []
    const client = await inMemory(bridge(holdpoint, tools, asAda), async ({ mode }) => {
      modes.push(mode)
      await human.approve(await human.next())
      return { action: 'accept' }
    })
    expect(parsed(await client.callTool({ name: 'wipe_disk', arguments: {} }))).toEqual({ done: 'wipe_disk' })
    expect(modes).toEqual(['url'])
  })

  test('a client without elicitation receives the address', async () => {
    const { holdpoint, tools } = world()
    const client = await inMemory(bridge(holdpoint, tools, asAda), yes, {})
    expect(textOf(await client.callTool(DELETE))).toContain('https://app.example.com/q/')
  })
})

test('a call with SDK 1.x over HTTP has the user of its token, and its form is sent on the stream of the call', async () => {
  const { holdpoint, tools, ran } = world()
  const hp = bridge(holdpoint, tools)
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'connection-1' })
  const mcp = new McpServer(INFO)
  hp.register(mcp)
  await mcp.connect(transport as Transport)
  const http = createServer((request, response) => {
    const sub = request.headers.authorization?.replace('Bearer ', '')
    const auth = sub ? { token: sub, clientId: 'app', scopes: [], extra: { sub } } : undefined
    void transport.handleRequest(Object.assign(request, auth && { auth }), response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await mcp.close()
    await new Promise((resolve) => http.close(resolve))
  })
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`)
  const requestInit = { headers: { authorization: 'Bearer ada' } }
  const client = await client1(new StreamableHTTPClientTransport(url, { requestInit }) as Transport, yes)
  expect(parsed(await client.callTool(DELETE))).toEqual({ done: 'delete_files' })
  expect(ran).toHaveLength(1)
  // The first page has the open interactions only.
  const { next = '' } = await holdpoint.interactions.list({ sessionId: 'mcp:ada' })
  const { interactions } = await holdpoint.interactions.list({ sessionId: 'mcp:ada', after: next })
  expect(interactions).toMatchObject([{ answer: { action: 'approve', by: { userId: 'ada', clientId: 'mcp:editor' } } }])
})

test('a call of a client of the 2025 revision with SDK 2.x asks while it runs', async () => {
  const { holdpoint, tools, ran } = world()
  const server = new modernServer.McpServer(INFO)
  bridge(holdpoint, tools, asAda).register(server)
  const [ours, theirs] = modernServer.InMemoryTransport.createLinkedPair()
  await server.connect(ours)
  const client = new modern.Client(EDITOR, { capabilities: { elicitation } })
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { decision: 'once' } }))
  await client.connect(theirs)
  onTestFinished(() => client.close())
  expect(parsed(await client.callTool(DELETE))).toEqual({ done: 'delete_files' })
  expect(ran).toHaveLength(1)
})
