import type { InboxPage } from '@holdpoint/core/internal'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answersOnly, inboxItems, settledItems } from '../testing/inbox-items.ts'
import { part, show } from '../testing/render.tsx'
import { Inbox } from './inbox.tsx'
import { useInbox, useInboxHistory } from './use-inbox.ts'

type Items = InboxPage['items']

const rows = () => [...document.querySelectorAll<HTMLElement>('[role="option"]')]
const texts = () => rows().map(({ textContent }) => textContent)
const list = () => document.querySelector<HTMLElement>('[role="listbox"]')!
const radio = (name: string) => page.getByRole('radio', { name })
const moreButton = () => page.getByRole('button', { name: 'Show more' })

const settled = settledItems(5)

/** A server whose history has pages of three, and an inbox of these questions. */
function server(open: Items = [], past: Items = settled) {
  const asked: string[] = []
  const state = { fails: false }
  const fetch = (async (url: string) => {
    if (url.endsWith('/presence')) return Response.json({})
    asked.push(url)
    if (!url.includes('state=settled')) return Response.json({ items: open })
    if (state.fails) return Response.json({}, { status: 500 })
    return Response.json(
      url.includes('next=')
        ? { items: past.slice(3) }
        : { items: past.slice(0, 3), ...(past.length > 3 && { next: 'p 2' }) },
    )
  }) as typeof globalThis.fetch
  return { asked, fetch, state }
}

function Page({ fetch }: { fetch: typeof globalThis.fetch }) {
  const options = { url: '/holdpoint', fetch }
  const inbox = useInbox({ ...options, refetchIntervalMs: false })
  const history = useInboxHistory(options)
  return <Inbox undoMs={0} items={inbox.items} history={history} transport={answersOnly().transport} />
}

const showPage = (fetch: typeof globalThis.fetch) =>
  show(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Page fetch={fetch} />
    </QueryClientProvider>,
  )

beforeEach(() => page.viewport(1280, 900))

test('the history is requested when it is opened, and Show more reads it to its end', async () => {
  const { asked, fetch } = server()
  await showPage(fetch)
  await expect.poll(() => part('inbox').textContent).toContain('Nothing is waiting for you.')
  expect(asked).toEqual(['/holdpoint/inbox'])
  await userEvent.click(radio('History'))
  await expect.poll(texts).toEqual([0, 1, 2].map((n) => expect.stringContaining(`Archive folder ${n}?`)))
  expect(texts()[0]).toContain('You denied this')
  expect(asked.slice(1)).toEqual(['/holdpoint/inbox?state=settled'])
  await userEvent.click(moreButton())
  await expect.poll(() => rows().length).toBe(5)
  expect(asked.at(-1)).toBe('/holdpoint/inbox?state=settled&next=p%202')
  expect(moreButton().query()).toBeNull()
  // The button was removed, so the focus moves to the list.
  await expect.poll(() => document.activeElement).toBe(list())
  // A settled question offers no answer.
  expect(document.querySelector('[data-slot="approve"]')).toBeNull()
  expect(part('inbox-detail').textContent).toContain('Archive folder 0?')
})

test('an empty history is one sentence, without an empty frame and without a question to choose', async () => {
  await showPage(server([], []).fetch)
  await userEvent.click(radio('History'))
  const said = () => part('inbox').querySelector('.hp-inbox-status')?.textContent
  await expect.poll(said).toBe('No question has been answered yet.')
  expect([...part('inbox').querySelectorAll('.hp-inbox-empty')]).toEqual([])
})

test('search, filter and order apply to the loaded history, and not to the questions that wait', async () => {
  const { fetch } = server(inboxItems(6))
  await showPage(fetch)
  await expect.poll(() => rows().length).toBe(6)
  await userEvent.click(radio('History'))
  await expect.poll(() => rows().length).toBe(3)
  await userEvent.click(moreButton())
  await expect.poll(() => rows().length).toBe(5)
  await userEvent.selectOptions(page.getByLabelText('Show'), 'High risk')
  await expect.poll(texts).toEqual([expect.stringContaining('Archive folder 3?')])
  await userEvent.selectOptions(page.getByLabelText('Show'), 'All')
  await userEvent.selectOptions(page.getByLabelText('Sort by'), 'Oldest first')
  await expect.poll(() => texts()[0]).toContain('Archive folder 4?')
  await userEvent.fill(page.getByLabelText('Search'), 'folder 2')
  await expect.poll(() => rows().length).toBe(1)
  await userEvent.click(radio('Waiting'))
  await expect.poll(() => rows().length).toBe(6)
  expect(texts().join()).not.toContain('Archive')
})

test('a question that is answered on this page joins the history, with the questions of the server', async () => {
  const { fetch } = server(inboxItems(1))
  await showPage(fetch)
  await expect.poll(() => rows().length).toBe(1)
  await userEvent.click(part('deny'))
  await expect.poll(() => texts()[0]).toContain('You denied this')
  await userEvent.click(radio('History'))
  await expect.poll(() => rows().length).toBe(4)
  expect(texts()[0]).toContain('reports/0.csv')
})

test('a question that was settled elsewhere shows its outcome after the history is opened, once', async () => {
  const [{ interaction, ...item }] = settled as [Items[number]]
  const { fetch } = server([{ ...item, interaction: { request: interaction.request } }])
  await showPage(fetch)
  await expect.poll(() => rows().length).toBe(1)
  await userEvent.click(radio('History'))
  await expect.poll(() => rows().length).toBe(3)
  expect(texts()[0]).toContain('You denied this')
})

test('the choice and the list of the history are one tab stop each, and keys move the selection', async () => {
  const { fetch } = server(inboxItems(2))
  await showPage(fetch)
  await expect.poll(() => rows().length).toBe(2)
  ;(radio('Waiting').element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.poll(() => rows().length).toBe(3)
  expect(document.activeElement).toBe(radio('History').element())
  const stops: Element[] = []
  for (let n = 0; n < 6 && document.activeElement !== list(); n++) {
    await userEvent.tab()
    stops.push(document.activeElement!)
  }
  // Search, three choices, and the list.
  expect(stops.length).toBe(5)
  expect(list().getAttribute('aria-label')).toBe('Questions: 3')
  await userEvent.keyboard('{End}{Enter}')
  await expect.poll(() => part('inbox-detail').textContent).toContain('Archive folder 2?')
  await expect.poll(() => part('inbox-detail').contains(document.activeElement)).toBe(true)
})

test('a history that cannot be loaded shows an error, and is requested again when it is opened again', async () => {
  const { fetch, state } = server()
  state.fails = true
  await showPage(fetch)
  await userEvent.click(radio('History'))
  await expect
    .poll(() => document.querySelector('[role="status"].hp-inbox-status')?.textContent)
    .toContain('The history could not be loaded.')
  state.fails = false
  await userEvent.click(radio('Waiting'))
  await userEvent.click(radio('History'))
  await expect.poll(() => rows().length).toBe(3)
  expect(document.querySelector('.hp-inbox-status')?.textContent).toBe('')
})

test('a page that the server refuses for now is read again after the time that the server states', async () => {
  const asked: number[] = []
  const fetch = (async (url: string) => {
    if (!url.includes('state=settled')) return Response.json({ items: [] })
    asked.push(performance.now())
    if (asked.length > 1) return Response.json({ items: settled.slice(0, 1) })
    return Response.json({}, { status: 429, headers: { 'retry-after': '2' } })
  }) as typeof globalThis.fetch
  const queries = new QueryClient({ defaultOptions: { queries: { retry: 1 } } })
  await show(
    <QueryClientProvider client={queries}>
      <Page fetch={fetch} />
    </QueryClientProvider>,
  )
  await userEvent.click(radio('History'))
  await expect.poll(() => rows().length, { timeout: 5_000 }).toBe(1)
  // TanStack Query alone would wait for one second.
  expect(asked[1]! - asked[0]!).toBeGreaterThan(1_990)
})
