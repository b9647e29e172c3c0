import { HoldpointError } from '@holdpoint/core'
import { reportFlow } from '@holdpoint/core/internal'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeClient } from '../testing/fake-client.ts'
import { connect } from '../testing/interactions.ts'
import { liveText, part, show } from '../testing/render.tsx'
import { AuthRequestCard } from './auth-request-card.tsx'

const one = connect({ request: { integrations: ['slack'] } })
const row = (integration = 'slack') => document.querySelector<HTMLElement>(`[data-integration="${integration}"]`)!
const called = (client: { calls: readonly { method: string; args: readonly unknown[] }[] }, method: string) =>
  client.calls.filter((call) => call.method === method).map(({ args }) => args)

/** A window that remembers where it was sent. */
function popup() {
  const visited: string[] = []
  const opened = {
    closed: false,
    opener: {} as unknown,
    close: vi.fn(),
    location: { replace: (url: string) => visited.push(url) },
    visited,
  }
  const open = vi.spyOn(window, 'open').mockReturnValue(opened as never)
  return { opened, open }
}

afterEach(() => vi.restoreAllMocks())

test('the buttons of a card are named by their accounts', async () => {
  await show(<AuthRequestCard interaction={connect()} />)
  for (const name of ['Connect Slack', 'Connect Gmail', 'Connect Google Calendar']) {
    await expect.element(page.getByRole('button', { name, exact: true })).toBeVisible()
  }
  await expect.element(page.getByRole('button', { name: 'Stop this task' })).toBeVisible()
  expect(document.querySelectorAll('[data-slot="stop"]')).toHaveLength(1)
})

test('the window opens within the click, before the server is called, and without an opener', async () => {
  const { opened, open } = popup()
  let answer = (_: { flowId: string; url: string }) => {}
  const onConnect = () =>
    new Promise<{ flowId: string; url: string }>((resolve) => {
      answer = resolve
    })
  await show(<AuthRequestCard interaction={one} onConnect={onConnect} />)
  part('connect').click()
  expect(open).toHaveBeenCalledOnce()
  await expect.poll(() => row().dataset.status).toBe('opening')
  answer({ flowId: 'f1', url: 'https://slack.com/oauth' })
  await expect.poll(() => row().dataset.status).toBe('waiting')
  expect(opened.visited).toEqual(['https://slack.com/oauth'])
  expect(opened.opener).toBeNull()
  expect(row().textContent).toContain('slack.com')
})

test('a row stays in the waiting state after its window closed, and the user can reopen it or report completion', async () => {
  const { opened, open } = popup()
  const { client } = await show(<AuthRequestCard interaction={one} />)
  await userEvent.click(part('connect'))
  await expect.poll(() => row().dataset.status).toBe('waiting')
  opened.closed = true
  // The server is asked to check, and has no account.
  await expect.poll(() => row().textContent, { timeout: 5_000 }).toContain('was closed')
  expect(row().dataset.status).toBe('waiting')
  // The next window is another one, and open.
  opened.closed = false
  await userEvent.click(part('open-again'))
  expect(open).toHaveBeenCalledTimes(2)
  await expect.poll(() => row().dataset.status).toBe('waiting')
  await userEvent.click(part('finished'))
  const checked = ['run-1', 'slack', true]
  expect(called(client, 'submitAuthResult')).toEqual([checked, checked])
})

test('a window that the user closed is noticed within seconds, announced, and can be opened again', async () => {
  const { opened } = popup()
  await show(<AuthRequestCard interaction={one} />)
  part('connect').focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => row().dataset.status).toBe('waiting')
  // The button that had focus is gone: its row has the next one.
  expect(document.activeElement).toBe(part('open-again'))
  opened.closed = true
  await expect
    .poll(() => row().textContent, { timeout: 3_500 })
    .toContain('The Slack window was closed. Open it again to continue.')
  expect(row().dataset.status).toBe('waiting')
  await expect.poll(liveText).toBe('The Slack window was closed. Open it again to continue.')
  expect(document.activeElement).toBe(part('open-again'))
})

test.each([
  ['denied', 'Slack was not allowed to connect. Nothing was shared.'],
  ['wrong-account', 'That was another Slack account than the one needed.'],
  ['failed', 'Slack could not be connected.'],
] as const)('the outcome of a row is announced: %s', async (outcome, text) => {
  popup()
  await show(<AuthRequestCard interaction={one} />)
  part('connect').focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => row().dataset.status).toBe('waiting')
  reportFlow('flow-slack', outcome)
  await expect.poll(() => row().dataset.status).toBe(outcome)
  await expect.poll(liveText).toBe(text)
  expect(document.activeElement).toBe(part('connect'))
})

const networkError = () => new HoldpointError('network', 'No answer.', { details: { status: 0 } })

test('a connect request that does not reach the server is reported and announced, and can be repeated', async () => {
  popup()
  await show(<AuthRequestCard interaction={one} onConnect={() => Promise.reject(networkError())} />)
  await userEvent.click(part('connect'))
  await expect.poll(() => row().textContent).toContain('Not sent: Connect Slack.')
  await expect.poll(liveText).toBe('Not sent: Connect Slack.')
  expect(part('connect').textContent).toBe('Try Slack again')
})

test('a connect request that failed without network waits for the connection, and the button is announced when it works again', async () => {
  const { open } = popup()
  let tries = 0
  const client = fakeClient({
    interactions: [one],
    state: { connection: { status: 'open', attempt: 0 } },
    methods: {
      connectAccount: async () => {
        if (++tries === 1) throw networkError()
        return { flowId: 'flow-slack', url: 'https://accounts.slack.example/authorize' }
      },
    },
  })
  await show(<AuthRequestCard interaction={one} />, { client })
  client.become({ connection: { status: 'offline', attempt: 2 } }, ['connection'])
  part('connect').focus()
  await userEvent.keyboard('{Enter}')
  const waits = 'Not sent: Connect Slack. You can try again when the connection is back.'
  await expect.poll(() => row().textContent).toContain(waits)
  await expect.poll(liveText).toBe(waits)
  expect(part('connect').getAttribute('aria-disabled')).toBe('true')
  await userEvent.keyboard('{Enter}')
  expect(tries).toBe(1)
  client.become({ connection: { status: 'open', attempt: 0 } }, ['connection', 'resend'])
  const back = 'The connection is back. You can connect Slack now.'
  await expect.poll(() => row().textContent).toContain(back)
  await expect.poll(liveText).toBe(back)
  expect(part('connect').getAttribute('aria-disabled')).not.toBe('true')
  expect(document.activeElement).toBe(part('connect'))
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => row().dataset.status).toBe('waiting')
  expect([tries, open.mock.calls.length]).toEqual([2, 2])
})

test('an "I have finished" that does not reach the server is reported, and sent again after a reconnect', async () => {
  popup()
  let tries = 0
  const client = fakeClient({
    interactions: [one],
    state: { connection: { status: 'offline', attempt: 2 } },
    methods: {
      submitAuthResult: async () => {
        if (++tries === 1) throw networkError()
      },
    },
  })
  await show(<AuthRequestCard interaction={one} />, { client })
  await userEvent.click(part('connect'))
  await expect.poll(() => row().dataset.status).toBe('waiting')
  await userEvent.click(part('finished'))
  await expect.poll(() => row().textContent).toContain('Not sent: I have finished.')
  client.become({ connection: { status: 'open', attempt: 0 } }, ['connection', 'resend'])
  await expect.poll(() => tries).toBe(2)
  await expect.poll(() => row().textContent).not.toContain('Not sent')
})

test('a blocked window becomes a link that names its address', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null)
  await show(<AuthRequestCard interaction={one} />)
  await userEvent.click(part('connect'))
  await expect.poll(() => row().dataset.status).toBe('blocked')
  const link = part('connect-link') as HTMLAnchorElement
  expect(link.textContent).toBe('Continue to accounts.slack.example')
  expect([link.href, link.target, link.rel]).toEqual([
    'https://accounts.slack.example/authorize',
    '_blank',
    'noopener noreferrer',
  ])
})

test('an address that is no web address is never opened and never becomes a link [C11.2]', async () => {
  const { opened } = popup()
  await show(
    <AuthRequestCard interaction={one} onConnect={async () => ({ flowId: 'f', url: 'javascript:alert(1)' })} />,
  )
  await userEvent.click(part('connect'))
  await expect.poll(() => row().dataset.status).toBe('failed')
  expect(opened.visited).toEqual([])
  expect(opened.close).toHaveBeenCalled()
  expect(document.querySelector('a')).toBeNull()
})

test.each([
  ['denied', 'was not allowed to connect'],
  ['wrong-account', 'another Slack account'],
  ['failed', 'could not be connected'],
] as const)('the row shows the report "%s" of the other window and offers another attempt', async (outcome, text) => {
  popup()
  const { client } = await show(<AuthRequestCard interaction={one} />)
  await userEvent.click(part('connect'))
  await expect.poll(() => row().dataset.status).toBe('waiting')
  reportFlow('flow-slack', outcome)
  await expect.poll(() => row().dataset.status).toBe(outcome)
  expect(row().textContent?.replaceAll(/[\u2068\u2069]/g, '')).toContain(text)
  expect(part('connect').textContent).toBe('Try Slack again')
  expect(called(client, 'submitAuthResult')).toEqual([])
})

test('a success that the other window reports only triggers a check on the server', async () => {
  popup()
  const { client } = await show(<AuthRequestCard interaction={one} />)
  await userEvent.click(part('connect'))
  await expect.poll(() => row().dataset.status).toBe('waiting')
  reportFlow('flow-slack', 'connected')
  await expect.poll(() => called(client, 'submitAuthResult')).toEqual([['run-1', 'slack', true]])
  expect(row().dataset.status).not.toBe('connected')
})

test.each(['before', 'after'])(
  "a row reports fewer permissions than requested, also %s the server's confirmation",
  async (when) => {
    popup()
    const { client, again } = await show(
      (given) => <AuthRequestCard interaction={given.getSnapshot().interactions.get('q1')} />,
      { interactions: [connect()] },
    )
    const hear = () => reportFlow('flow-slack', 'connected-fewer')
    const say = async () => {
      client.put(connect({ connected: ['slack'] }))
      await again()
    }
    await userEvent.click(row().querySelector('[data-slot="connect"]')!)
    await expect.poll(() => row().dataset.status).toBe('waiting')
    if (when === 'before') {
      hear()
      // A hint is no tick.
      await expect.poll(() => called(client, 'submitAuthResult')).toHaveLength(1)
      expect(row().dataset.status).toBe('checking')
      await say()
    } else {
      await say()
      await expect.poll(() => row().dataset.status).toBe('connected')
      hear()
    }
    await expect.poll(() => row().dataset.status).toBe('connected-fewer')
    expect(row().textContent).toContain('Connected, with fewer permissions than asked')
  },
)

test('the primary button is that of the first account that is not connected', async () => {
  await show(<AuthRequestCard interaction={connect({ connected: ['slack'] })} />)
  const variants = [...document.querySelectorAll<HTMLElement>('[data-slot="connect"]')].map((each) => [
    each.textContent,
    each.dataset.variant,
  ])
  expect(variants).toEqual([
    ['Connect Gmail', 'primary'],
    ['Connect Google Calendar', 'secondary'],
  ])
})

test('the state from the server is shown as text and icon, and progress is announced', async () => {
  const client = fakeClient({ interactions: [connect()] })
  const { again } = await show(
    (given) => <AuthRequestCard interaction={given.getSnapshot().interactions.get('q1')} />,
    { client },
  )
  client.put(connect({ connected: ['slack'] }))
  await again()
  client.put(connect({ connected: ['slack', 'gmail'] }))
  await again()
  expect(row('gmail').textContent).toContain('Connected')
  expect(part('progress').textContent).toBe('2 of 3 connected')
  await expect.poll(liveText).toBe('2 of 3 connected')
})

test('a browser with one window leaves the page by a link that names the host', async () => {
  const { open } = popup()
  await show(<AuthRequestCard interaction={one} redirect />)
  await userEvent.click(part('connect'))
  await expect.poll(() => row().dataset.status).toBe('redirect')
  expect(open).not.toHaveBeenCalled()
  expect((part('connect-link') as HTMLAnchorElement).target).toBe('')
})

test('the stop button cancels the run', async () => {
  const { client } = await show(<AuthRequestCard interaction={connect()} />)
  await userEvent.click(part('stop'))
  expect(called(client, 'cancelRun')).toEqual([['run-1']])
})

test('an icon that does not load is replaced by a letter', async () => {
  await show(<AuthRequestCard interaction={one} />, {
    provider: { integrations: { slack: { name: 'Slack', icon: 'data:image/png;base64,broken' } } },
  })
  await expect.poll(() => row().querySelector('.hp-initial')?.textContent).toBe('S')
})

test('a sentence has the direction of its own language, also on a page with the other direction', async () => {
  await show(
    <div dir="rtl">
      <AuthRequestCard interaction={connect()} />
    </div>,
  )
  for (const slot of ['connect', 'progress']) {
    const letters = document.createTreeWalker(part(slot), NodeFilter.SHOW_TEXT)
    const pieces: number[] = []
    while (letters.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(letters.currentNode)
      pieces.push(range.getBoundingClientRect().left)
    }
    // "Connect" and then "Slack"; a sentence in one piece begins with its number.
    expect(pieces, slot).toEqual(pieces.toSorted((a, b) => a - b))
    expect(getComputedStyle(part(slot).querySelector('bdi')!).direction, slot).toBe('ltr')
  }
})
