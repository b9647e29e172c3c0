import { readFileSync } from 'node:fs'
import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { filesServer } from '../src/files.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('the guide shows the code of the example', () => {
  expect(read('../../../docs/mcp.md')).toContain(`\`\`\`ts runnable\n// files.ts\n${read('../src/files.ts')}\`\`\``)
})

test('the tool runs once, after the user has approved in the form or on the page', async () => {
  const holdpoint = createHoldpoint({ store: memoryStore(), name: 'mcp-example' })
  onTestFinished(() => holdpoint.close())
  const removed: string[][] = []
  const handler = filesServer(
    holdpoint,
    async (files) => void removed.push(files),
    Buffer.alloc(32, 1).toString('base64'),
  )
  const authInfo = { token: 't', clientId: 'example', scopes: [], extra: { sub: 'ada' } }
  const client = new Client(
    { name: 'example', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
  )
  const decisions = [{ decision: 'once' }, undefined]
  client.setRequestHandler('elicitation/create', () => {
    const content = decisions.shift()
    return content ? { action: 'accept', content } : { action: 'cancel' }
  })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('https://files.example.com/mcp'), {
      fetch: (input, init) => handler.fetch(new Request(input, init), { authInfo }),
    }),
  )
  onTestFinished(() => client.close())
  const call = { name: 'delete_files', arguments: { files: ['a.txt'] } }
  expect((await client.callTool(call)).content).toEqual([{ type: 'text', text: '{"deleted":1}' }])

  const [waiting] = (await client.callTool(call)).content
  expect(waiting?.type === 'text' && waiting.text).toContain('https://app.example.com/holdpoint/')
  const human = testHuman(holdpoint, { userId: 'ada' })
  await human.approve(await human.next())
  await client.callTool(call)
  expect(removed).toEqual([['a.txt'], ['a.txt']])
})
