import type { Interaction, RespondResult } from '@holdpoint/core'
import { HoldpointError } from '@holdpoint/core'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { InteractionView } from '../interaction-view/interaction-view.tsx'
import { handClock } from '../testing/checks/hand-clock.ts'
import { fakeClient } from '../testing/fake-client.ts'
import { approval, connect, form, NOW } from '../testing/interactions.ts'
import { answers, listen, liveText, part, show } from '../testing/render.tsx'

const problem = { code: 'network', message: 'The network is gone' }
const unsent = (answer: NonNullable<Interaction['draft']>['answer'], question = approval()): Interaction => ({
  ...question,
  status: 'not_sent',
  problem,
  draft: { answerId: 'a1', answer },
})
const dismissible = form({ request: { labels: { cancel: 'Dismiss' } } })
const offline = { connection: { status: 'offline', attempt: 2 } } as const
const open = { connection: { status: 'open', attempt: 0 } } as const
const blocked = (slot: string) => part(slot).getAttribute('aria-disabled') === 'true'
const buttonsOfStatus = () => [...part('status').querySelectorAll('button')].map((button) => button.textContent)
const networkError = () => new HoldpointError('network', 'No answer.', { details: { status: 0 } })

test.each([
  ['a denial', unsent({ action: 'deny' }), 'Not sent: \u2068Keep files\u2069.'],
  ['an approval', unsent({ action: 'approve' }), 'Not sent: \u2068Delete 3 files\u2069.'],
  [
    'an approval with changes',
    unsent({ action: 'approve', args: {} }),
    'Not sent: \u2068Delete 3 files\u2069 with changes.',
  ],
  ['a declined form', unsent({ action: 'decline' }, dismissible), 'Not sent: Decline.'],
  ['a dismissed form', unsent({ action: 'cancel' }, dismissible), 'Not sent: \u2068Dismiss\u2069.'],
  ['a form', unsent({ action: 'submit', input: {} }, dismissible), 'Not sent. Your answer is still here.'],
])(
  '%s that was not sent is named, and no other answer can be pressed until the user changes it',
  async (_, question, text) => {
    const { client } = await show(<InteractionView interaction={question} />, { interactions: [question] })
    expect(part('card').dataset.state).toBe('not-sent')
    expect(part('status').querySelector('bdi')!.textContent).toBe(text.replace(/[\u2068\u2069]/g, ''))
    await expect.poll(liveText).toBe(text)
    expect(buttonsOfStatus()).toEqual(['Send again', 'Change my answer'])
    const others = question.kind === 'approval' ? ['deny', 'approve'] : ['decline', 'submit', 'dismiss']
    expect(others.map(blocked)).toEqual(others.map(() => true))
    await userEvent.click(part(others[0]!), { force: true })
    expect(answers(client)).toEqual([])
    await userEvent.click(part('change'))
    expect(blocked(others[0]!)).toBe(false)
    expect(document.querySelector('[data-slot="status"]')).toBeNull()
    await userEvent.click(part(others[0]!))
    expect(answers(client)).toHaveLength(1)
  },
)

// The first button of the row gets the focus by default, so the denial alone would show nothing.
test.each(['deny', 'approve'] as const)(
  '"Change my answer" moves focus to the button that had sent: %s',
  async (action) => {
    const question = unsent({ action })
    const client = fakeClient({ interactions: [question] })
    await show((given) => <InteractionView interaction={given.getSnapshot().interactions.get('q1')} />, { client })
    part('change').focus()
    await userEvent.keyboard('{Enter}')
    expect(document.activeElement).toBe(part(action))
  },
)

test.each(['deny', 'approve'] as const)(
  'after "Send again" focus is on the button that sends, while the answer is being sent: %s',
  async (action) => {
    const question = unsent({ action })
    const client = fakeClient({
      interactions: [question],
      methods: {
        retry: async () => {
          client.put({ ...question, status: 'submitting', problem: undefined })
          return { status: 'accepted' }
        },
      },
    })
    const { again } = await show(
      (given) => <InteractionView interaction={given.getSnapshot().interactions.get('q1')} />,
      { client },
    )
    part('retry').focus()
    await userEvent.keyboard('{Enter}')
    await again()
    expect(part('card').dataset.state).toBe('submitting')
    expect(document.activeElement).toBe(part(action))
  },
)

test('an answer that the client sends again is named in the live region, and the card itself sends nothing', async () => {
  const question = unsent({ action: 'deny' })
  const client = fakeClient({ interactions: [question], state: offline })
  const { again } = await show(
    (given) => <InteractionView interaction={given.getSnapshot().interactions.get('q1')} />,
    { client },
  )
  await expect.poll(liveText).toContain('Not sent')
  const heard = listen()
  client.become(open, ['connection', 'resend'])
  client.put({ ...question, status: 'submitting', problem: undefined })
  await again()
  expect(client.calls).toEqual([])
  await expect.poll(() => heard).toEqual(['The connection is back. Sending again: \u2068Keep files\u2069.'])
})

test('an answer of onRespond that was not sent is sent again after a reconnect, however late', async () => {
  const client = fakeClient({ interactions: [], state: offline })
  const clock = handClock()
  const answers: unknown[] = []
  const onRespond = async (answer: unknown): Promise<RespondResult> =>
    answers.push(answer) === 1 ? { status: 'not_sent', problem } : { status: 'accepted' }
  await show(<InteractionView interaction={approval()} onRespond={onRespond} />, { client, provider: { clock } })
  await userEvent.click(part('deny'))
  await expect.poll(() => part('card').dataset.state).toBe('not-sent')
  clock.pass(3_600_000)
  client.become(open, ['connection', 'resend'])
  await expect.poll(() => answers).toEqual([{ action: 'deny' }, { action: 'deny' }])
})

test('an unsent answer is not sent by itself after the user dismissed it', async () => {
  const question = unsent({ action: 'approve' })
  const client = fakeClient({ interactions: [question], state: offline })
  await show(<InteractionView interaction={question} />, { client })
  await userEvent.click(part('change'))
  client.become(open, ['connection', 'resend'])
  expect(client.calls).toEqual([])
})

test('a card with onRespond alone shows that it sends: the pressed button keeps its color, and the others are disabled', async () => {
  let settle = (_: RespondResult) => {}
  const sending = () =>
    new Promise<RespondResult>((resolve) => {
      settle = resolve
    })
  await show(<InteractionView interaction={dismissible} onRespond={sending} />)
  const color = getComputedStyle(part('decline')).color
  await userEvent.click(part('decline'))
  expect(part('card').dataset.state).toBe('submitting')
  expect(part('card').getAttribute('aria-busy')).toBe('true')
  expect(['decline', 'submit', 'dismiss'].map(blocked)).toEqual([true, true, true])
  expect(['decline', 'submit'].map((slot) => part(slot).dataset.sending)).toEqual(['true', undefined])
  expect(getComputedStyle(part('decline')).color).toBe(color)
  expect(getComputedStyle(part('submit')).color).not.toBe(color)
  await expect.poll(() => getComputedStyle(part('decline'), '::after').opacity).toBe('1')
  settle({ status: 'not_sent', problem })
  await expect.poll(() => part('card').dataset.state).toBe('not-sent')
  expect(part('status').textContent).toContain('Not sent: Decline.')
  await userEvent.click(part('retry'))
  expect(part('card').dataset.state).toBe('submitting')
})

test('an onRespond that rejects leaves the answer unsent, with its error', async () => {
  await show(<InteractionView interaction={approval()} onRespond={() => Promise.reject(new Error('gone'))} />)
  await userEvent.click(part('deny'))
  await expect.poll(() => part('card').dataset.state).toBe('not-sent')
  expect(part('status').textContent).toContain('Not sent: Keep files.')
})

test('sending that takes longer than five seconds is announced', async () => {
  const clock = handClock()
  await show(<InteractionView interaction={approval()} onRespond={() => new Promise(() => {})} />, {
    provider: { clock },
  })
  await userEvent.click(part('deny'))
  clock.pass(4_900)
  expect(liveText()).not.toContain('Still sending')
  clock.pass(200)
  await expect.poll(liveText).toBe('Still sending…')
})

test('a stop request that does not arrive is reported, blocks the other buttons, and is sent again after a reconnect', async () => {
  const failing = { now: true }
  const client = fakeClient({
    interactions: [connect()],
    state: offline,
    methods: {
      cancelRun: async () => {
        if (failing.now) throw networkError()
      },
    },
  })
  await show(<InteractionView interaction={connect()} />, { client })
  part('stop').focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => part('status').textContent).toContain('Not sent: Stop this task.')
  await expect.poll(liveText).toBe('Not sent: Stop this task.')
  expect(blocked('connect')).toBe(true)
  expect(document.activeElement).toBe(part('stop'))
  failing.now = false
  const heard = listen()
  client.become(open, ['connection', 'resend'])
  await expect.poll(() => heard).toEqual(['The connection is back. Sending again: Stop this task.'])
  await expect.poll(() => document.querySelector('[data-slot="status"]')).toBeNull()
})

test('a stop request that the server rejects is reported, and is not sent again', async () => {
  const refused = new HoldpointError('forbidden', 'No.', { details: { status: 403 } })
  await show(<InteractionView interaction={connect()} onCancelRun={() => Promise.reject(refused)} />)
  await userEvent.click(part('stop'))
  await expect.poll(() => part('status').textContent).toBe('Not accepted: Stop this task.')
  expect(blocked('connect')).toBe(false)
})

test('a request for more time that does not arrive is reported, and answering is still possible', async () => {
  const question = { ...approval({ request: { extendable: true } }), expiresAt: NOW + 300_000 }
  let tries = 0
  const onExtend = async () => {
    if (++tries === 1) throw networkError()
  }
  await show(<InteractionView interaction={question} onExtend={onExtend} />)
  await userEvent.click(part('extend'))
  await expect.poll(() => part('status').textContent).toContain('Not sent: More time.')
  expect(blocked('deny')).toBe(false)
  await userEvent.click(part('retry'))
  await expect.poll(() => document.querySelector('[data-slot="status"]')).toBeNull()
  expect(tries).toBe(2)
})
