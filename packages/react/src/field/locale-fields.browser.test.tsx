import { afterEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { InputForm } from '../input-form/input-form.tsx'
import { german } from '../locales/de.ts'
import { fakeClient } from '../testing/fake-client.ts'
import { form } from '../testing/interactions.ts'
import { answers, liveText, part, show } from '../testing/render.tsx'

const field = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)!
const describedBy = (input: Element) =>
  (input.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' | ')
const asked = (...fields: readonly object[]) =>
  form({ request: { inputSchema: { type: 'form', fields: fields as never } } })
const locale = (name: string) => ({ provider: { locale: name, ...(name === 'de' ? { messages: german } : {}) } })

afterEach(() => vi.restoreAllMocks())

test.each([
  ['de', '3,5', 3.5, ''],
  ['de', '1.000,5', 1000.5, 'Gelesen als 1000,5'],
  ['de', '3.5', 3.5, 'Gelesen als 3,5'],
  ['en', '1,000', 1000, 'Read as 1000'],
  ['ar-EG', '٣', 3, ''],
])(
  'a user with the locale %s types %s, and the server receives the number %d',
  async (language, typed, value, echo) => {
    const question = asked({ id: 'n', type: 'number', label: 'N', required: true })
    const { client } = await show(<InputForm interaction={question} />, locale(language))
    await userEvent.fill(field('n'), typed)
    expect(field('n').value).toBe(typed)
    expect(describedBy(field('n'))).toContain(echo)
    expect(document.querySelector('[data-slot="number-read"]') !== null).toBe(echo !== '')
    await userEvent.click(part('submit'))
    expect(answers(client)).toEqual([['q1', { action: 'submit', input: { n: value } }]])
  },
)

test('a default number is shown in the user’s locale, and sent back unchanged', async () => {
  const question = asked({ id: 'n', type: 'number', label: 'N', defaultValue: 1.125 })
  const { client } = await show(<InputForm interaction={question} />, locale('de'))
  expect(field('n').value).toBe('1,125')
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([['q1', { action: 'submit', input: { n: 1.125 } }]])
})

test('limits of dates and numbers are shown in the format of the user’s locale', async () => {
  const question = asked(
    { id: 'day', type: 'date', label: 'Tag', max: '2026-02-01' },
    { id: 'at', type: 'datetime', label: 'Um', min: '2026-02-01T09:30:00Z' },
    { id: 'n', type: 'number', label: 'N', minimum: 1000.5 },
  )
  await show(<InputForm interaction={question} />, locale('de'))
  await userEvent.fill(field('day'), '2026-03-01')
  await userEvent.fill(field('at'), '2026-01-01T00:00')
  await userEvent.fill(field('n'), '3')
  await userEvent.click(part('submit'))
  const problems = [...document.querySelectorAll('.hp-problem')].map((each) => each.textContent)
  expect(problems).toEqual([
    '1. Februar 2026 oder früher.',
    '1. Februar 2026 um 09:30 oder später.',
    '1.000,5 oder mehr.',
  ])
})

test('a date with time names its time zone, and shows a stored moment in it', async () => {
  const question = form({
    request: {
      inputSchema: { type: 'form', fields: [{ id: 'at', type: 'datetime', label: 'At' }] },
      initialValues: { at: '2026-02-01T09:30:00Z' },
    },
  })
  await show(<InputForm interaction={question} />)
  expect(field('at').value).toBe('2026-02-01T09:30')
  expect(describedBy(field('at'))).toContain('Time zone: Coordinated Universal Time')
})

test('characters are counted if they are limited, and exceeding the limit is announced', async () => {
  await show(<InputForm interaction={asked({ id: 't', type: 'text', label: 'T', maxLength: 5 })} />)
  await userEvent.fill(field('t'), 'four')
  expect(describedBy(field('t'))).toContain('4 of 5 characters')
  await userEvent.fill(field('t'), 'sixsix')
  expect(part('count').dataset.over).toBe('true')
  await expect.poll(liveText).toContain('6 of 5 characters')
})

test('a secret is hidden until the user reveals it, and excluded from password managers unless the host allows it', async () => {
  await show(
    <InputForm
      interaction={asked(
        { id: 'key', type: 'secret', label: 'API key' },
        { id: 'pin', type: 'secret', label: 'Pin', autocomplete: 'one-time-code' },
      )}
    />,
  )
  expect([field('key').type, field('key').autocomplete]).toEqual(['password', 'off'])
  expect(field('key').matches('[data-1p-ignore][data-lpignore="true"]')).toBe(true)
  expect([field('pin').autocomplete, field('pin').hasAttribute('data-1p-ignore')]).toEqual(['one-time-code', false])
  const reveal = part('reveal')
  expect([reveal.getAttribute('aria-label'), reveal.getAttribute('aria-pressed')]).toEqual(['Show API key', 'false'])
  await userEvent.click(reveal)
  expect([field('key').type, reveal.getAttribute('aria-pressed')]).toEqual(['text', 'true'])
})

test('a form with required and optional fields explains the mark', async () => {
  await show(
    <InputForm
      interaction={asked({ id: 'a', type: 'text', label: 'A', required: true }, { id: 'b', type: 'text', label: 'B' })}
    />,
  )
  expect(part('fields').textContent).toContain('Fields marked (required) need an answer.')
})

const file = { id: 'data', type: 'file', label: 'Data', accept: ['.csv'], maxBytes: 10 }
const problem = () => document.querySelector('.hp-problem')?.textContent

test('a file that is too large or of another type is rejected before it is sent, with the reason', async () => {
  const { client } = await show(<InputForm interaction={asked(file)} />)
  await userEvent.upload(field('data'), new File(['x'.repeat(2_000)], 'big.csv'))
  await expect.poll(problem).toContain('is too large. Choose a file of 10 B or less.')
  await userEvent.upload(field('data'), new File(['x'], 'picture.png', { type: 'image/png' }))
  await expect.poll(problem).toContain('cannot be used here. Choose one of these: .csv.')
  await expect.poll(liveText).toContain('cannot be used here')
  expect(client.calls.filter(({ method }) => method === 'upload')).toEqual([])
})

test.each([
  [{ code: 'too_large', details: { status: 413 } }, 'is too large. Choose a smaller file.'],
  [{ code: 'http_413', details: { status: 413 } }, 'is too large. Choose a smaller file.'],
  [{ code: 'invalid_input', details: { status: 422 } }, 'cannot be used here. Choose one of these: .csv.'],
  [{ code: 'unsupported_media_type', details: { status: 415 } }, 'cannot be used here. Choose one of these: .csv.'],
  [{ code: 'network' }, 'was not uploaded. Choose it again.'],
])('an error of the server is shown with its reason: %o', async (error, text) => {
  const client = fakeClient({ methods: { upload: () => Promise.reject(Object.assign(new Error('no'), error)) } })
  const { maxBytes: _max, ...unlimited } = file
  await show(<InputForm interaction={asked(unlimited)} />, { client })
  await userEvent.upload(field('data'), new File(['x'], 'a.csv', { type: 'text/csv' }))
  await expect.poll(problem).toContain(text)
})
