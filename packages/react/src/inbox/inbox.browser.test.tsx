import type { Transport } from '@holdpoint/core'
import type { InboxPage } from '@holdpoint/core/internal'
import type { ClientMessage } from '@holdpoint/core/protocol'
import type { SendResult, TransportContext } from '@holdpoint/core/transport'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { approval, form } from '../testing/interactions.ts'
import { part, show } from '../testing/render.tsx'
import { Inbox } from './inbox.tsx'
import { useConnections } from './use-connections.ts'
import { useInbox } from './use-inbox.ts'

const items: InboxPage['items'] = [
  { sessionId: 'chat-1', interaction: { request: approval({ interactionId: 'a' }).request } },
  { sessionId: 'chat-2', interaction: { request: form({ interactionId: 'b' }).request } },
]

/** Remembers what was sent, and to which session. */
function line() {
  const sent: { sessionId: string; message: ClientMessage }[] = []
  const transport: Transport = {
    name: 'test',
    connect: () => {
      throw new Error('An inbox streams nothing')
    },
    async send(context: TransportContext, message): Promise<SendResult> {
      sent.push({ sessionId: context.sessionId, message })
      return { status: 200, body: { status: 'accepted' } }
    },
    snapshot: async () => ({ status: 404, body: {} }),
    request: async () => ({ status: 404, body: {} }),
  }
  return { sent, transport }
}

test('questions of several sessions stand side by side, and each answer goes to its own', async () => {
  const { sent, transport } = line()
  await show(
    <StrictMode>
      <Inbox items={items} transport={transport} hrefOf={({ sessionId }) => `/chat/${sessionId}`} />
    </StrictMode>,
  )
  expect([...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
    '/chat/chat-1',
    '/chat/chat-2',
  ])
  await userEvent.click(part('deny'))
  await expect
    .poll(() => sent)
    .toMatchObject([
      { sessionId: 'chat-1', message: { type: 'tool_interaction_response', interactionId: 'a', action: 'deny' } },
    ])
  await expect.poll(() => part('outcome').textContent).toContain('Denied: Delete 3 files · you')
  // What was refused has no tick, also as long as only this page knows.
  expect(part('outcome').querySelector('path')!.getAttribute('d')).toBe('M5.5 5.5l9 9M14.5 5.5l-9 9')
  expect(document.querySelector('[data-interaction-id="b"]')?.getAttribute('data-state')).toBe('pending')
})

test('each question of an inbox is a heading of the second level, and its form is no landmark of its own', async () => {
  await show(<Inbox items={items} transport={line().transport} />)
  const levels = () => [...document.querySelectorAll('[role="heading"]')].map((one) => one.getAttribute('aria-level'))
  expect(levels()).toEqual(['2', '2'])
  expect(part('form').matches('[aria-labelledby], [aria-label], [title]')).toBe(false)
})

test('an empty inbox says so', async () => {
  await show(<Inbox items={[]} transport={line().transport} />)
  expect(part('inbox').textContent).toContain('Nothing is waiting for you.')
})

test('the inbox is read page by page, and again when something happens', async () => {
  const asked: string[] = []
  const fetch = (async (url: string) => {
    asked.push(url)
    const first = !url.includes('next=')
    return Response.json(first ? { items: items.slice(0, 1), next: 'p 2' } : { items: items.slice(1) })
  }) as typeof globalThis.fetch
  function Reader() {
    const inbox = useInbox({ url: '/holdpoint/', fetch, refetchIntervalMs: false })
    return (
      <button type="button" onClick={inbox.loadMore}>
        {inbox.items.map((item) => item.sessionId).join()}
      </button>
    )
  }
  const { client } = await show(
    <QueryClientProvider client={new QueryClient()}>
      <Reader />
    </QueryClientProvider>,
  )
  await expect.poll(() => document.querySelector('button')?.textContent).toBe('chat-1')
  await userEvent.click(document.querySelector('button')!)
  await expect.poll(() => document.querySelector('button')?.textContent).toBe('chat-1,chat-2')
  expect(asked).toEqual(['/holdpoint/inbox', '/holdpoint/inbox?next=p%202'])
  client.emit({ type: 'content' })
  client.emit({ type: 'interaction_request' })
  await expect.poll(() => asked.length).toBe(4)
})

test('connections are listed, ended, and looked at again when an account was connected', async () => {
  const connected = new Set(['slack'])
  const service = {
    list: async () => Object.fromEntries([...connected].map((name) => [name, { connected: true }])),
    disconnect: async (name: string) => {
      connected.delete(name)
      return { connected: false }
    },
  }
  function Settings() {
    const { connections, disconnect } = useConnections(service)
    return (
      <button type="button" onClick={() => disconnect('slack')}>
        {Object.keys(connections).join()}
      </button>
    )
  }
  const { client } = await show(
    <QueryClientProvider client={new QueryClient()}>
      <Settings />
    </QueryClientProvider>,
  )
  const text = () => document.querySelector('button')?.textContent
  await expect.poll(text).toBe('slack')
  await userEvent.click(document.querySelector('button')!)
  await expect.poll(text).toBe('')
  connected.add('gmail')
  client.emit({ type: 'auth_result' })
  await expect.poll(text).toBe('gmail')
})

test('an entry that leaves the list hands focus to the question in its place, and the last one to the list', async () => {
  const { transport } = line()
  let shown: typeof items = [...items]
  const { again } = await show(() => <Inbox items={shown} transport={transport} />)
  part('deny').focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => document.activeElement).toBe(part('outcome'))
  shown = [items[1]!]
  await again()
  await expect.poll(() => document.activeElement?.textContent).toBe('Where should the report go, and how many copies?')
  shown = []
  await again()
  await expect.poll(() => document.activeElement).toBe(part('inbox'))
})

test('an entry that leaves the list takes no focus from elsewhere', async () => {
  const { transport } = line()
  let shown: typeof items = [...items]
  const { again } = await show(() => (
    <>
      <Inbox items={shown} transport={transport} />
      <input aria-label="Search" />
    </>
  ))
  part('deny').focus()
  const search = document.querySelector<HTMLInputElement>('[aria-label="Search"]')!
  search.focus()
  shown = [items[1]!]
  await again()
  expect(document.activeElement).toBe(search)
})
