import { memoryStore } from '@holdpoint/server/memory'
import { expect, test, vi } from 'vitest'
import { world } from './support.ts'

const FIELDS = [
  { id: 'day', type: 'date', label: 'Day', min: '2026-03-01', max: '2026-03-31' },
  { id: 'at', type: 'datetime', label: 'At', min: '2026-03-01T08:00:00Z' },
  { id: 'stay', type: 'daterange', label: 'Stay', max: '2026-03-31' },
  { id: 'beds', type: 'integer', label: 'Beds', minimum: 2 },
] as const

async function asked() {
  const here = world()
  void here.session
    .toolCall({ runId: 'r', toolCallId: 'c', toolName: 'book' })
    .tryAsk({ prompt: 'When?', fields: FIELDS })
  const url = await here.linked((await here.human.next()).interactionId)
  const page = await (await here.get(url)).text()
  const post = async (typed: Record<string, string>, language: string) => {
    const form = { ...here.hidden(page), action: 'submit', ...typed }
    const reply = await here.post(url, form, { 'accept-language': language })
    return { status: reply.status, text: (await reply.text()).replace(/&#39;/g, "'") }
  }
  return { page, post }
}

const WRONG = {
  'f.day': '2026-02-28',
  'f.at': '2026-03-01T07:59',
  'f.stay.from': '2026-03-30',
  'f.stay.to': '2026-04-01',
}

test.each([
  [
    'en-GB',
    ['Give 1 March 2026 or later.', 'Give 1 March 2026 at 08:00 UTC or later.', 'Give 31 March 2026 or earlier.'],
  ],
  ['de', ['1. März 2026 oder später.', '1. März 2026 um 08:00 UTC oder später.', '31. März 2026 oder früher.']],
  ['ja', ['2026年3月1日', '2026年3月31日']],
])('the limits of dates are in the words of the reader: %s', async (language, words) => {
  const { status, text } = await (await asked()).post({ ...WRONG, 'f.beds': '1' }, language)
  expect(status).toBe(422)
  for (const each of words) expect(text).toContain(each)
  expect(text.replace(/<input[^>]*>/g, '')).not.toMatch(/2026-0/)
})

test('the calendar of the browser offers only days within the limits', async () => {
  const { page } = await asked()
  expect(page).toContain('<input type="date" id="f.day" name="f.day" min="2026-03-01" max="2026-03-31" value="">')
  expect(page).toContain('<input type="datetime-local" id="f.at" name="f.at" min="2026-03-01T08:00" value="">')
  expect(page.match(/name="f\.stay\.\w+" max="2026-03-31"/g)).toHaveLength(2)
})

test('a page takes the time for its deadline from the read of its question', async () => {
  const store = memoryStore()
  const load = vi.spyOn(store, 'load')
  const { approval, linked, get } = world({ store })
  const url = await linked((await approval({ timeoutMs: 300_000 })).question.interactionId)
  load.mockClear()
  expect(await (await get(url)).text()).toContain('Answer within 5 minutes')
  expect(load.mock.calls.map(([refs]) => refs.length > 0)).not.toContain(false)
})
