import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createHoldpoint } from '@holdpoint/server'
import { aiSdk, holdpointTool, registerTools } from '@holdpoint/server/ai-sdk'
import { toNodeHandler } from '@holdpoint/server/node'
import { sqliteStore } from '@holdpoint/server/sqlite'
import {
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  stepCountIs,
  streamText,
  tool,
  toUIMessageStream,
  UI_MESSAGE_STREAM_HEADERS,
  type UIMessage,
} from 'ai'
import { z } from 'zod'
import { chatModel } from './model.ts'
import type { ChatSetup } from './setup.ts'

// A process that is killed writes no compile cache when it ends.
flushCompileCache()

/** A chat app with the AI SDK, as a team has it: one process, its page, its route, its saved chats. */
const { folder, port }: ChatSetup = JSON.parse(process.argv[2] ?? '{}')
const note = (kind: string, what: string) => appendFileSync(join(folder, kind), `${JSON.stringify(what)}\n`)
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const model = chatModel((prompt) => note('prompts', prompt))
const connected = join(folder, 'slack-is-connected')

const holdpoint = createHoldpoint({
  store: sqliteStore({ path: join(folder, 'data.db'), pollMs: 5 }),
  authenticate: () => ({ userId: 'ada' }),
  timing: { leaseMs: 1_000 },
  accounts: {
    status: async () => (existsSync(connected) ? { state: 'connected', scopes: [] } : { state: 'missing' }),
    start: async () => ({ url: `http://127.0.0.1:${address().port}/provider` }),
    token: async () => 'token-of-ada',
  },
})

const files = z.object({ files: z.array(z.string()) })
async function remove(what: string[]): Promise<{ deleted: number }> {
  // A kill in the test hits between these two.
  note('begun', what.join())
  while (existsSync(join(folder, 'slow'))) await sleep(5)
  note('effects', `deleted ${what.join()}`)
  return { deleted: what.length }
}

const tools = {
  deleteFiles: holdpointTool({
    inputSchema: files,
    approve: ({ files }) => ({
      prompt: `Delete ${files.join(', ')}?`,
      editable: true,
      policy: (args) => !args.files.includes('/') || 'Never the root.',
    }),
    execute: async ({ files }, ctx) => await ctx.once('delete', () => remove(files)),
  }),
  sendMail: holdpointTool({
    inputSchema: z.object({ text: z.string() }),
    before: async (_input, ctx) => await ctx.ask({ prompt: 'Where to?', schema: z.object({ to: z.email() }) }),
    execute: async ({ text }, { before }) => {
      note('effects', `mailed ${text} to ${before.to}`)
      return `sent to ${before.to}`
    },
  }),
  hurry: holdpointTool({
    inputSchema: z.object({}),
    approve: () => ({ prompt: 'Quick?', timeoutMs: 2_000 }),
    execute: () => note('effects', 'hurried'),
  }),
  postMessage: holdpointTool({
    inputSchema: z.object({ text: z.string() }),
    before: async (_input, ctx) => await ctx.connect({ integrations: ['slack'], reason: 'to post the message' }),
    execute: async ({ text }, { before }) => {
      note('effects', `posted ${text} with ${await before.slack.token()}`)
      return 'posted'
    },
  }),
}
registerTools(holdpoint, tools)
await holdpoint.recover()

/** The same tool without Holdpoint. */
const plainTools = {
  deleteFiles: tool({ inputSchema: files, needsApproval: true, execute: ({ files }) => remove(files) }),
}

const saved = (chat: string) => join(folder, `${chat}.json`)
const load = (chat: string): UIMessage[] =>
  existsSync(saved(chat)) ? JSON.parse(readFileSync(saved(chat), 'utf8')) : []
const save = (chat: string, messages: UIMessage[]) => writeFileSync(saved(chat), JSON.stringify(messages))

interface ChatRequest {
  id: string
  messages: UIMessage[]
}

async function chat({ id, messages }: ChatRequest, mode: 'inline' | 'suspend'): Promise<Response> {
  const hp = aiSdk(holdpoint, { sessionId: id, userId: 'ada', messages, mode })
  const result = streamText({
    model,
    messages: await convertToModelMessages(await hp.declineWaiting()),
    tools: hp.tools(tools),
    toolApproval: hp.toolApproval,
    stopWhen: stepCountIs(3),
  })
  void result.consumeStream()
  const stream = createUIMessageStream({
    originalMessages: messages,
    execute: ({ writer }) => writer.merge(hp.uiStream(toUIMessageStream({ stream: result.stream }))),
    onEnd: ({ messages }) => save(id, messages),
  })
  return createUIMessageStreamResponse({ stream })
}

async function plainChat({ id, messages }: ChatRequest): Promise<Response> {
  const result = streamText({
    model,
    messages: await convertToModelMessages(messages),
    tools: plainTools,
    stopWhen: stepCountIs(3),
  })
  const stream = toUIMessageStream({
    stream: result.stream,
    originalMessages: messages,
    onEnd: ({ messages }) => save(id, messages),
  })
  return createUIMessageStreamResponse({ stream })
}

async function route(request: IncomingMessage): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here')
  const { messages, ...body }: ChatRequest =
    request.method === 'POST' ? JSON.parse(await text(request)) : { id: '', messages: [] }
  switch (pathname) {
    case '/api/chat':
      note('requests', messages.at(-1)?.role === 'user' ? 'first' : 'resumed')
      // A server that says nothing at all.
      if (existsSync(join(folder, 'empty'))) return new Response('', { headers: UI_MESSAGE_STREAM_HEADERS })
      return await chat({ ...body, messages }, searchParams.get('mode') === 'inline' ? 'inline' : 'suspend')
    case '/api/plain':
      return await plainChat({ ...body, messages })
    case '/api/messages':
      return Response.json(load(searchParams.get('id') ?? ''))
    case '/provider':
      writeFileSync(connected, '')
      await holdpoint.accounts.changed({ userId: 'ada', integration: 'slack' })
      return new Response('Connected.')
    default:
      return new Response(readFileSync(join(folder, 'page.html')), {
        headers: { 'content-type': 'text/html; charset=utf-8' },
      })
  }
}

async function text(request: IncomingMessage): Promise<string> {
  let read = ''
  for await (const piece of request) read += piece
  return read
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (answer.body)
    Readable.fromWeb(answer.body as never)
      .on('error', () => response.destroy())
      .pipe(response)
  else response.end()
}

const handle = toNodeHandler(holdpoint)
const server = createServer((request, response) => {
  if (request.url?.startsWith('/holdpoint/')) void handle(request, response)
  else
    route(request).then(
      (answer) => send(answer, response),
      (error) => {
        console.error(error)
        response.writeHead(500).end()
      },
    )
})
const address = () => server.address() as AddressInfo
server.listen(port, '127.0.0.1', () => process.send?.(address().port))
