import { createHoldpointClient } from '@holdpoint/core'
import { memoryTransport } from '@holdpoint/core/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { useNotifications } from '../hooks/use-notifications.ts'
import { useUserActions } from '../hooks/use-user-actions.ts'
import { HoldpointProvider } from '../settings/provider.tsx'
import { fakeClient } from '../testing/fake-client.ts'
import { approval } from '../testing/interactions.ts'
import { part, show } from '../testing/render.tsx'
import { scriptedServer } from '../testing/scripted-server.ts'
import { useAttention } from './use-attention.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** The browser's notifications, with what was asked and shown. */
function notifications(answer: NotificationPermission) {
  const shown: string[] = []
  class Fake {
    static permission: NotificationPermission = 'default'
    static requestPermission = vi.fn(async () => {
      Fake.permission = answer
      return answer
    })
    onclick: unknown
    constructor(title: string) {
      shown.push(title)
    }
    close() {}
  }
  vi.stubGlobal('Notification', Fake)
  return { shown, asked: Fake.requestPermission }
}

test('the browser asks for permission to notify only after a gesture of the user', async () => {
  const { asked } = notifications('granted')
  let hook: ReturnType<typeof useNotifications> | undefined
  const Bell = () => {
    hook = useNotifications()
    return (
      <button type="button" onClick={hook.ask}>
        {hook.permission}
      </button>
    )
  }
  await show(<Bell />, { interactions: [approval()] })
  expect(asked).not.toHaveBeenCalled()
  const active = vi.spyOn(navigator.userActivation, 'isActive', 'get').mockReturnValue(false)
  await hook!.ask()
  expect(asked).not.toHaveBeenCalled()
  active.mockRestore()
  await userEvent.click(document.querySelector('button')!)
  await expect.poll(() => document.querySelector('button')!.textContent).toBe('granted')
  expect(asked).toHaveBeenCalledTimes(1)
})

test('a question causes one notification, only while the page is hidden', async () => {
  const { shown } = notifications('granted')
  Object.assign(Notification, { permission: 'granted' })
  const Bell = () => <i>{useNotifications().permission}</i>
  const { client } = await show(<Bell />, { interactions: [] })
  client.put(approval({ interactionId: 'seen' }))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(shown).toEqual([])
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const hidden = approval({ interactionId: 'hidden', toolCallId: 'call-2', request: { prompt: 'Send it?' } })
  client.put(hidden)
  client.put({ ...hidden })
  await expect.poll(() => shown).toEqual(['Send it?'])
})

test('the app badge counts open questions and is cleared with the last one', async () => {
  const badge = vi.fn(async (_: number) => {})
  const clear = vi.fn(async () => {})
  const own = { setAppBadge: badge, clearAppBadge: clear, onLine: true }
  // The getters of the browser's navigator work on that object alone.
  const properties = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value }]))
  vi.stubGlobal('navigator', Object.create(navigator, properties))
  const Bell = () => <i>{useAttention().count}</i>
  const { client } = await show(<Bell />, { interactions: [approval()] })
  await expect.poll(() => badge.mock.calls).toEqual([[1]])
  client.put(approval({ status: 'expired' }))
  await expect.poll(() => clear.mock.calls.length).toBe(1)
})

test('user actions are sent to the server in one message, each once with its id', async () => {
  const server = scriptedServer({ events: [] })
  const client = createHoldpointClient({
    sessionId: 'session-1',
    clientId: 'this-tab',
    transport: memoryTransport(server),
  })
  let hook: ReturnType<typeof useUserActions> | undefined
  const Buffer = () => {
    hook = useUserActions()
    return null
  }
  await show(
    <HoldpointProvider client={client}>
      <Buffer />
    </HoldpointProvider>,
  )
  hook!.add({ type: 'global_event', event: 'theme_changed', payload: { theme: 'dark' } })
  hook!.add({ type: 'tool_event', toolCallId: 'c', toolName: 'diff', event: 'applied' })
  await hook!.send()
  await hook!.send()
  expect(server.messages).toMatchObject([
    {
      type: 'user_actions',
      actions: [
        { type: 'global_event', event: 'theme_changed', actionId: expect.any(String) },
        { type: 'tool_event', event: 'applied', actionId: expect.any(String) },
      ],
    },
  ])
  hook!.add({ type: 'global_event', event: 'next' })
  expect(hook!.take()).toMatchObject([{ event: 'next', actionId: expect.any(String) }])
  client.close()
})

test('two uses of attention on a page mark the title once, until both are unmounted', async () => {
  document.title = 'Chat'
  const Bell = () => <i>{useAttention().count}</i>
  let bells = 2
  const { client, again } = await show(() => Array.from({ length: bells }, (_, index) => <Bell key={index} />), {
    interactions: [approval()],
  })
  await expect.poll(() => document.title).toBe('(1) Chat')
  client.put(approval({ interactionId: 'q2', toolCallId: 'call-2' }))
  await expect.poll(() => document.title).toBe('(2) Chat')
  expect(document.querySelectorAll('[aria-live]')).toHaveLength(1)
  bells = 1
  await again()
  expect(document.title).toBe('(2) Chat')
  bells = 0
  await again()
  expect(document.title).toBe('Chat')
})

test('two providers of one page mark its title once, with the number of different questions', async () => {
  document.title = 'Chat'
  const Bell = () => <i>{useAttention().count}</i>
  const first = fakeClient({ interactions: [approval()] })
  const second = fakeClient({ interactions: [approval(), approval({ interactionId: 'q2', toolCallId: 'call-2' })] })
  const { unmount } = await show(<Bell />, { client: first })
  await expect.poll(() => document.title).toBe('(1) Chat')
  const other = await show(<Bell />, { client: second })
  await expect.poll(() => document.title).toBe('(2) Chat')
  await other.unmount()
  expect(document.title).toBe('(1) Chat')
  await unmount()
  expect(document.title).toBe('Chat')
})

test('user actions that do not arrive are kept, and are sent again after a reconnect', async () => {
  let tries = 0
  const client = fakeClient({
    state: { connection: { status: 'offline', attempt: 2 } },
    methods: {
      sendUserActions: async () => {
        if (++tries === 1) throw new Error('network')
      },
    },
  })
  let hook: ReturnType<typeof useUserActions> | undefined
  const Buffer = () => {
    hook = useUserActions()
    return <i data-slot="sent">{hook.status}</i>
  }
  await show(<Buffer />, { client })
  await expect(hook!.send()).rejects.toThrow('network')
  await expect.poll(() => part('sent').textContent).toBe('not-sent')
  client.become({ connection: { status: 'open', attempt: 0 } }, ['connection', 'resend'])
  await expect.poll(() => part('sent').textContent).toBe('idle')
  expect(tries).toBe(2)
})
