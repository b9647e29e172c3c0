import { Profiler, type ReactNode, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { useAttention } from '../attention/use-attention.ts'
import { HoldpointProvider } from '../settings/provider.tsx'
import { fakeClient } from '../testing/fake-client.ts'
import { approval, connect, form } from '../testing/interactions.ts'
import { answers, part, show } from '../testing/render.tsx'
import { useAuthReturn } from './use-auth-return.ts'
import { useConnectionState } from './use-connection-state.ts'
import { useInteraction } from './use-interaction.ts'
import { useInteractionMode } from './use-interaction-mode.ts'
import { useInteractions, usePendingAuth, usePendingInteractions } from './use-interactions.ts'
import { useRun } from './use-run.ts'
import { useToolCall } from './use-tool-call.ts'
import { useUserActions } from './use-user-actions.ts'

const many = Array.from({ length: 10_000 }, (_, n) => approval({ interactionId: `q${n}`, toolCallId: `call-${n}` }))

test('an event renders one of ten thousand mounted useInteraction components', async () => {
  const rendered: string[] = []
  const Row = ({ id }: { id: string }) => {
    rendered.push(id)
    return <i>{useInteraction(id)?.status}</i>
  }
  const { client } = await show(
    many.map(({ interactionId }) => <Row key={interactionId} id={interactionId} />),
    { interactions: many },
  )
  rendered.length = 0
  const reading = vi.spyOn(client, 'getSnapshot')
  client.put({ ...many[4_321]!, status: 'expired' })
  await expect.poll(() => rendered).toEqual(['q4321'])
  // The others were not even asked.
  expect(reading.mock.calls.length).toBeLessThan(20)
})

test('an event renders one of five hundred mounted cards', async () => {
  const rendered: string[] = []
  const Card = ({ id }: { id: string }) => {
    const interaction = useInteraction(id)
    return (
      <Profiler id={id} onRender={(which) => rendered.push(which)}>
        <ApprovalDialog interaction={interaction} />
      </Profiler>
    )
  }
  const some = many.slice(0, 500)
  const { client } = await show(
    some.map(({ interactionId }) => <Card key={interactionId} id={interactionId} />),
    { interactions: some },
  )
  await expect.poll(() => part('approve').dataset.armed).toBe('true')
  await new Promise((resolve) => setTimeout(resolve, 700))
  rendered.length = 0
  client.put({ ...some[250]!, status: 'expired' })
  await expect.poll(() => rendered.length).toBeGreaterThan(0)
  expect(new Set(rendered)).toEqual(new Set(['q250']))
  rendered.length = 0
  client.become({ connection: { status: 'open', attempt: 0 }, version: 7 }, ['connection'])
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(rendered).toEqual([])
}, 30_000)

test('a list keeps its identity while its members do', async () => {
  const seen: unknown[] = []
  const List = () => {
    seen.push(usePendingInteractions())
    return null
  }
  const { client } = await show(<List />, { interactions: [approval()] })
  client.become({ version: 99 })
  client.become({ connection: { status: 'reconnecting', attempt: 1 } })
  expect(new Set(seen).size).toBe(1)
})

test('the hooks return runs, calls, connection, mode, accounts and all questions', async () => {
  function Everything() {
    const mode = useInteractionMode()
    return (
      <>
        <output>
          {JSON.stringify({
            run: useRun('run-1')?.status,
            call: useToolCall('call-1')?.status,
            connection: useConnectionState().status,
            auth: usePendingAuth().map((one) => one.interactionId),
            all: useInteractions().map((one) => one.interactionId),
            pending: usePendingInteractions().length,
            mode: mode.enabled,
          })}
        </output>
        <button type="button" onClick={() => mode.setEnabled(false)}>
          Off
        </button>
      </>
    )
  }
  const { client } = await show(<Everything />, {
    interactions: [
      approval(),
      connect({ interactionId: 'c1', toolCallId: 'call-2' }),
      form({ interactionId: 'f1', status: 'expired' }),
    ],
  })
  client.become({ runs: new Map([['run-1', { runId: 'run-1', status: 'awaiting_auth' }]]) }, ['run:run-1'])
  await userEvent.click(document.querySelector('button')!)
  await expect
    .poll(() => JSON.parse(document.querySelector('output')!.textContent!))
    .toEqual({
      run: 'awaiting_auth',
      call: 'running',
      connection: 'open',
      auth: ['c1'],
      all: ['q1', 'c1', 'f1'],
      pending: 2,
      mode: false,
    })
})

test('a hook without a provider rejects with the remedy', async () => {
  const Lost = () => <i>{useInteraction('x')?.status}</i>
  await expect(render(<Lost />)).rejects.toThrow('Wrap this component')
})

test('a press under StrictMode sends one answer', async () => {
  const client = fakeClient({ interactions: [approval()] })
  await render(
    <StrictMode>
      <HoldpointProvider client={client} allowFramed>
        <ApprovalDialog interaction={approval()} />
      </HoldpointProvider>
    </StrictMode>,
  )
  await userEvent.click(part('deny'))
  expect(answers(client)).toHaveLength(1)
})

test('user actions are buffered in the client, and sent with the next request', async () => {
  let hook: ReturnType<typeof useUserActions> | undefined
  const Buffer = () => {
    hook = useUserActions()
    return null
  }
  const { client } = await show(<Buffer />)
  hook!.add({ type: 'global_event', event: 'a' })
  hook!.add({ type: 'global_event', event: 'b' })
  expect(hook!.take().map(({ event }) => event)).toEqual(['a', 'b'])
  expect(hook!.take()).toEqual([])
  await hook!.send()
  expect(client.calls.map(({ method }) => method)).toEqual(['sendUserActions'])
})

test('useAttention counts open questions in the title, and jumpToNext cycles through them', async () => {
  document.title = 'Chat'
  function Bell() {
    const { text, jumpToNext } = useAttention()
    return (
      <button type="button" onClick={jumpToNext}>
        {text}
      </button>
    )
  }
  const two = [approval({ interactionId: 'a', toolCallId: 'a' }), form({ interactionId: 'b', toolCallId: 'b' })]
  const { client, unmount } = await show(
    <>
      <Bell />
      <ApprovalDialog interaction={two[0]} />
      <ApprovalDialog interaction={two[1]} />
    </>,
    { interactions: two },
  )
  expect(document.title).toBe('(2) Chat')
  const bell = document.querySelector('button')!
  expect(bell.textContent).toBe('2 questions are waiting')
  await userEvent.click(bell)
  const here = () => document.activeElement?.closest('[data-interaction-id]')?.getAttribute('data-interaction-id')
  expect(here()).toBe('a')
  bell.click()
  expect(here()).toBe('b')
  bell.click()
  expect(here()).toBe('a')
  client.put({ ...two[0]!, status: 'expired' })
  await expect.poll(() => document.title).toBe('(1) Chat')
  await unmount()
  expect(document.title).toBe('Chat')
})

const address = window.location.href
afterEach(() => window.history.replaceState(null, '', address))

test('a return from an authorization is detected, reported once, and removed from the address', async () => {
  window.history.replaceState(null, '', '?keep=1&auth_complete=slack&generation_id=run-7')
  const client = fakeClient()
  const Return = () => <output>{useAuthReturn().status}</output>
  await render(
    <StrictMode>
      <HoldpointProvider client={client}>
        <Return />
      </HoldpointProvider>
    </StrictMode>,
  )
  await expect.poll(() => document.querySelector('output')!.textContent).toBe('done')
  expect(client.calls).toEqual([{ method: 'submitAuthResult', args: ['run-7', 'slack', true] }])
  expect(window.location.search).toBe('?keep=1')
})

test('a return with an error reports a failure', async () => {
  window.history.replaceState(null, '', '?auth_complete=slack&generation_id=run-7&auth_error=access_denied')
  const Return = () => <output>{JSON.stringify(useAuthReturn())}</output>
  const { client } = await show(<Return />)
  await expect.poll(() => document.querySelector('output')!.textContent).toContain('"status":"failed"')
  expect(client.calls).toEqual([{ method: 'submitAuthResult', args: ['run-7', 'slack', false] }])
})

test.each([
  ['no provider', (child: ReactNode) => child],
  ['a provider without a client', (child: ReactNode) => <HoldpointProvider locale="de">{child}</HoldpointProvider>],
])('a hook under %s throws an error that says what to pass', (_, around) => {
  const Count = () => <i>{usePendingInteractions().length}</i>
  expect(() => renderToString(around(<Count />))).toThrow(
    'Wrap this component in a <HoldpointProvider> with `options={{ sessionId, transport }}` or `client`.',
  )
})
