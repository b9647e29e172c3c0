import { createHoldpointClient, type HoldpointEvent, type Interaction } from '@holdpoint/core'
import { type MemoryPeer, type MemorySink, reportFlow } from '@holdpoint/core/internal'
import { memoryTransport } from '@holdpoint/core/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useAttention } from '../src/attention/use-attention.ts'
import { loadParts } from '../src/base/on-demand.ts'
import { Inbox } from '../src/inbox/inbox.tsx'
import { ToolInteraction } from '../src/interaction-view/tool-interaction.tsx'
import { handClock } from '../src/testing/checks/hand-clock.ts'
import { answersOnly, inboxItems } from '../src/testing/inbox-items.ts'
import { approval, connect, form, NOW } from '../src/testing/interactions.ts'
import { listen } from '../src/testing/render.tsx'
import { scriptedServer } from '../src/testing/scripted-server.ts'
import { StoryFrame } from '../src/testing/story-frame.tsx'

/**
 * The announcements of the live region in each flow, and the focus after each step.
 * The files are read by a person. After an intended change, run with `-u` and read them aloud.
 */
const envelope = () => ({ timestamp: new Date(NOW).toISOString(), sessionId: 'session-1', runId: 'run-1' })
const find = (slot: string) => document.querySelector<HTMLElement>(`[data-slot="${slot}"]`)

/** Writes down steps, and what was announced in each. Time passes only between steps, so nothing is announced late. */
function recorder(clock: ReturnType<typeof handClock>) {
  const lines: string[] = []
  const heard = listen()
  const plain = (text: string) =>
    text
      .replace(/[\u2066-\u2069]/g, '')
      .replace(/\s+/g, ' ')
      .trim()
  const focus = () => {
    const { activeElement: at } = document
    if (!(at instanceof HTMLElement) || at === document.body) return 'the page'
    const role = at.getAttribute('role') ?? at.dataset.slot ?? at.tagName.toLowerCase()
    const { labels } = at as HTMLInputElement
    const name = at.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? at.textContent ?? ''
    const described = at
      .getAttribute('aria-describedby')
      ?.split(' ')
      .map((id) => document.getElementById(id)?.textContent)
    const description = plain(described?.join(' ') ?? '')
    const row = document.getElementById(at.getAttribute('aria-activedescendant') ?? '')?.textContent
    const option = row && `row “${plain(row)}”`
    return [`${role} “${plain(name)}”`, option, at.ariaInvalid === 'true' && 'invalid', description]
      .filter(Boolean)
      .join(', ')
  }
  return {
    /** `until` waits for the page; then all timers run, and what they announce belongs to this step. */
    async step(title: string, act: () => unknown, until: () => unknown = () => true) {
      lines.push(`# ${title}`)
      await act()
      await expect.poll(until).toBeTruthy()
      for (let beat = 0; beat < 4; beat++) {
        clock.pass(500)
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      }
      lines.push(...(heard.length > 0 ? heard.map((text) => `says: ${plain(text)}`) : ['says nothing']))
      lines.push(`focus: ${focus()}`, '')
      heard.length = 0
    },
    compare: (name: string) =>
      expect(`${lines.join('\n').trim()}\n`).toMatchFileSnapshot(`./__announcements__/${name}.txt`),
  }
}

/** A page with the real client, and a server in the page that the test scripts and disconnects. */
async function open(questions: readonly Interaction[], onAnswer?: Parameters<typeof scriptedServer>[0]['onAnswer']) {
  const server = scriptedServer({ events: [], ...(onAnswer && { onAnswer }) })
  const readers = new Set<MemorySink>()
  let isDown = false
  const peer: MemoryPeer = {
    subscribe(reader, sink) {
      if (isDown) {
        sink.end({ code: 'network', message: 'No network.' })
        return () => {}
      }
      readers.add(sink)
      const stop = server.subscribe(reader, sink)
      return () => {
        readers.delete(sink)
        stop()
      }
    },
    call(call) {
      if (isDown) throw new TypeError('Failed to fetch')
      return server.call(call)
    },
  }
  const clock = handClock(NOW)
  // The client's own time runs, so that it reconnects within a step. It is slow, so that no announced minute is a close call.
  const start = performance.now()
  const client = createHoldpointClient({
    sessionId: 'session-1',
    clientId: 'this-tab',
    transport: memoryTransport(peer),
    environment: { now: () => NOW - 30_000 + performance.now() - start },
  })
  await loadParts()
  await render(
    <StoryFrame client={client} clock={clock}>
      <Page calls={questions.map(({ toolCallId }) => toolCallId)} />
    </StoryFrame>,
  )
  await expect.poll(() => client.getSnapshot().ready).toBe(true)
  const record = recorder(clock)
  const emit = (event: Record<string, unknown>) => server.emit({ ...envelope(), ...event } as HoldpointEvent)
  const ask = () => {
    for (const { request } of questions) emit(request as never)
  }
  await record.step('The assistant asks.', ask, () => find('card'))
  return {
    ...record,
    client,
    emit,
    goOffline() {
      isDown = true
      for (const reader of [...readers]) reader.end({ code: 'network', message: 'No network.' })
    },
    goOnline() {
      isDown = false
      client.reconnect()
    },
  }
}

function Page({ calls }: { calls: readonly string[] }) {
  useAttention({ title: false, badge: false })
  return calls.map((id) => <ToolInteraction key={id} toolCallId={id} />)
}

const press = (slot: string) => async () => {
  find(slot)!.focus()
  await userEvent.keyboard('{Enter}')
}
const state = () => find('card')?.dataset.state
const call = { toolCallId: 'call-1', toolName: 'delete_files' }

beforeEach(() => page.viewport(1280, 900))
afterEach(() => void vi.restoreAllMocks())

test('an approval is announced when it is asked, approved, running and done', async () => {
  const { step, emit, compare } = await open([approval()])
  await step('The person presses “Delete 3 files”.', press('approve'), () => state() === 'answered-here')
  await step(
    'The tool runs.',
    () => emit({ type: 'tool_call_update', ...call, status: 'running' }),
    () => state() === 'approved-still-running',
  )
  await step(
    'The tool is done.',
    () => emit({ type: 'tool_call_complete', ...call, status: 'completed' }),
    () => state() === 'answered-here',
  )
  await compare('approve')
})

test('a denial is announced, also with a text about what to do instead', async () => {
  const { step, compare } = await open([approval()])
  await step('The person opens “Deny and say what to do instead”.', press('instead-toggle'), () =>
    find('instead-input'),
  )
  await step(
    'The person writes what to do instead, and sends it.',
    async () => {
      await userEvent.fill(find('instead-input')!, 'Move them to the archive.')
      await press('deny-instead')()
    },
    () => state() === 'answered-here',
  )
  await compare('deny')
})

test('a form announces errors of its own validation, errors of the tool, and its result', async () => {
  const { step, compare } = await open([form()], (message, emit) => {
    if (message.input?.email !== 'ada@elsewhere.org') return undefined
    const { request } = form({ interactionId: 'q2', replaces: 'q1' })
    emit({
      ...request,
      ...{ replaces: 'q1', attempt: 2, initialValues: message.input },
      fieldErrors: { email: ['Only addresses at example.com.'] },
    } as HoldpointEvent)
    return undefined
  })
  const email = () => document.querySelector<HTMLInputElement>('[name="email"]')!
  const send = (address: string) => async () => {
    await userEvent.fill(email(), address)
    await userEvent.keyboard('{Enter}')
  }
  await step('The person sends the form without an address.', press('submit'), () => email().ariaInvalid)
  await step(
    'The person gives an address that the tool refuses.',
    send('ada@elsewhere.org'),
    () => state() === 'reprompted',
  )
  await step('The person gives another address.', send('ada@example.com'), () => state() !== 'reprompted')
  await compare('form')
})

test('a request for accounts announces a denied account, and then both connected ones', async () => {
  const { step, compare } = await open([connect({ request: { integrations: ['slack', 'gmail'] } })])
  const popup = { closed: false, close() {}, opener: null, location: { replace() {} } }
  vi.spyOn(window, 'open').mockReturnValue(popup as never)
  const row = (name: string) => document.querySelector<HTMLElement>(`[data-integration="${name}"]`)!
  const start = (name: string) => async () => {
    row(name).querySelector<HTMLElement>('[data-slot="connect"]')!.focus()
    await userEvent.keyboard('{Enter}')
  }
  const status = (name: string, wanted: string) => () => row(name)?.dataset.status === wanted
  await step('The person presses “Connect Slack”.', start('slack'), status('slack', 'waiting'))
  await step(
    'Slack reports that the person refused.',
    () => reportFlow('flow-slack', 'denied'),
    status('slack', 'denied'),
  )
  await step('The person tries Slack again.', start('slack'), status('slack', 'waiting'))
  await step('Slack is connected.', () => reportFlow('flow-slack', 'connected'), status('slack', 'connected'))
  await step('The person presses “Connect Gmail”.', start('gmail'), status('gmail', 'waiting'))
  await step(
    'Gmail is connected.',
    () => reportFlow('flow-gmail', 'connected'),
    () => find('outcome'),
  )
  await compare('connect')
})

test.each([
  ['expired', 'The time runs out without an answer.'],
  ['superseded', 'The person writes a message instead of an answer.'],
  ['cancelled', 'The task is stopped.'],
])('a question that ends as %s without an answer is announced', async (reason, title) => {
  const { step, emit, compare } = await open([approval()])
  await step(
    title,
    () => emit({ type: 'interaction_closed', interactionId: 'q1', reason }),
    () => state() === reason,
  )
  await compare(reason === 'cancelled' ? 'stopped' : reason)
})

test('a task that the user stops at a request for accounts is announced', async () => {
  const { step, emit, compare } = await open([connect({ request: { integrations: ['slack'] } })])
  await step('The person presses “Stop this task”.', press('stop'))
  await step(
    'The server has stopped the task.',
    () => emit({ type: 'interaction_closed', interactionId: 'q1', reason: 'cancelled' }),
    () => find('outcome'),
  )
  await compare('stopped-by-the-person')
})

test('an answer without a connection is announced as not sent, and as sent after a reconnect', async () => {
  const { step, goOffline, goOnline, compare } = await open([approval()])
  // A short interruption is not announced: the second failed attempt is.
  await step('The connection is lost.', goOffline, () => find('live')?.textContent?.includes('Reconnecting'))
  await step('The person presses “Keep files”.', press('deny'), () => state() === 'not-sent')
  await step('The connection is back.', goOnline, () => state() === 'answered-here')
  await compare('offline')
})

test('an answer of another user, or of the same user on another device, is announced', async () => {
  const { step, emit, compare } = await open([approval(), form({ interactionId: 'q2', toolCallId: 'call-2' })])
  const answer = (interactionId: string, more: object) => () =>
    emit({ type: 'interaction_response', interactionId, ...more })
  const ended = (id: string) => () =>
    document.querySelector<HTMLElement>(`[data-interaction-id="${id}"]`)?.dataset.state === 'answered-elsewhere'
  const grace = { userId: 'grace', name: 'Grace Hopper', clientId: 'other' }
  await step(
    'Grace Hopper approves the first question.',
    answer('q1', { toolCallId: 'call-1', action: 'approve', respondedBy: grace }),
    ended('q1'),
  )
  await step(
    'The person answers the second question on a phone.',
    answer('q2', { toolCallId: 'call-2', action: 'submit', respondedBy: { userId: 'ada', clientId: 'phone' } }),
    ended('q2'),
  )
  await compare('answered-elsewhere')
})

/** The inbox of three questions, or of more. */
async function openInbox(count: number, undoMs: number) {
  const clock = handClock(NOW)
  const { sent, transport } = answersOnly()
  await loadParts()
  await render(
    <StoryFrame clock={clock}>
      <Inbox items={inboxItems(count)} transport={transport} undoMs={undoMs} />
    </StoryFrame>,
  )
  await expect.poll(() => document.querySelectorAll('[role="option"]').length).toBeGreaterThan(2)
  const record = recorder(clock)
  await record.step('The person opens the inbox.', () => {})
  return { ...record, sent }
}

test('an answer in the inbox is announced when it is undone, and when another one is sent', async () => {
  const { step, sent, compare } = await openInbox(3, 600_000)
  await step('The person opens the list.', () => document.querySelector<HTMLElement>('[role="listbox"]')!.focus())
  await step('The person opens the first question.', () => userEvent.keyboard('{Enter}'))
  await step('The person denies it.', press('deny'), () => find('inbox-held'))
  await step('The person presses “Undo”.', press('inbox-undo'), () => find('deny'))
  await step('The person denies it again.', press('deny'), () => find('inbox-held'))
  await step('The person presses “Send now”.', press('inbox-send'), () => sent.length === 1 && find('outcome'))
  await step('The person presses “Next question”.', press('inbox-next'), () => find('prompt'))
  await compare('undo-in-the-inbox')
})

test('moving through the list of the inbox announces nothing beside the rows, and an end elsewhere is announced', async () => {
  const clock = handClock(NOW)
  const items = inboxItems(3)
  const { transport } = answersOnly()
  const [first] = items
  const request = first!.interaction.request
  const response = {
    ...{ type: 'interaction_response', sessionId: 'chat-0', timestamp: new Date(NOW).toISOString() },
    ...{ interactionId: 'q0', toolCallId: 'call-0', action: 'deny' },
    respondedBy: { userId: 'grace', name: 'Grace Hopper', clientId: 'other' },
  }
  const snapshot = async () => ({ status: 200, body: { interactions: [{ request, response }] } })
  await loadParts()
  const inbox = (shown: typeof items) => (
    <StoryFrame clock={clock}>
      <Inbox items={shown} transport={{ ...transport, snapshot }} undoMs={0} />
    </StoryFrame>
  )
  const { rerender } = await render(inbox(items))
  await expect.poll(() => document.querySelectorAll('[role="option"]').length).toBe(3)
  const { step, compare } = recorder(clock)
  await step('The person opens the list.', () => document.querySelector<HTMLElement>('[role="listbox"]')!.focus())
  await step('The person presses the arrow down.', () => userEvent.keyboard('{ArrowDown}'))
  await step('The person presses End.', () => userEvent.keyboard('{End}'))
  await step('The person presses Enter, and Tab three times.', async () => {
    await userEvent.keyboard('{Enter}')
    for (let times = 0; times < 3; times++) await userEvent.tab()
  })
  await step(
    'Grace Hopper denies this question on another device.',
    () => rerender(inbox(items.slice(1))),
    () => find('outcome'),
  )
  await compare('inbox-list')
})

test('approving all similar requests of low risk is announced', async () => {
  const { step, sent, compare } = await openInbox(30, 0)
  await step('The person opens the review.', press('review-all'), () => find('inbox-batch'))
  await step('The person approves all.', press('approve-all'), () => sent.length === 12)
  await compare('approve-all')
})
