import type { InboxPage } from '@holdpoint/core/internal'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { useAccounts } from '../settings-page/use-accounts.ts'
import { approval, form } from '../testing/interactions.ts'
import { show } from '../testing/render.tsx'
import { useInbox } from './use-inbox.ts'

const items: InboxPage['items'] = [
  { sessionId: 'chat-1', interaction: { request: approval({ interactionId: 'a' }).request } },
  { sessionId: 'chat-2', interaction: { request: form({ interactionId: 'b' }).request } },
]

test('the inbox is read page by page, and again after a change', async () => {
  const asked: string[] = []
  const fetch = (async (url: string) => {
    if (url.endsWith('/presence')) return Response.json({})
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

test('accounts are listed, disconnected, and read again after an account was connected', async () => {
  const connected = new Set(['slack'])
  const fetch = async (_url: unknown, init?: RequestInit) => {
    if (init?.method === 'POST') connected.delete(JSON.parse(String(init.body)).integration)
    return Response.json({ accounts: Object.fromEntries([...connected].map((name) => [name, { connected: true }])) })
  }
  function Settings() {
    const { accounts, disconnect } = useAccounts({ url: '/holdpoint', fetch })
    return (
      <button type="button" onClick={() => disconnect('slack')}>
        {Object.keys(accounts).join()}
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
