/// <reference types="@vitest/browser-playwright" />
import { shownDigest } from '@holdpoint/core/wire'
import { expect, test } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { ToolInteraction } from '../interaction-view/tool-interaction.tsx'
import { fakeClient } from '../testing/fake-client.ts'
import { allFields, answered, form } from '../testing/interactions.ts'
import { answers, liveText, part, show } from '../testing/render.tsx'
import { InputForm } from './input-form.tsx'

const field = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)!
const everything = form({ request: { inputSchema: { type: 'form', fields: allFields } } })

test('a form sends its input as the types of its fields', async () => {
  const { client } = await show(<InputForm interaction={form()} />)
  await userEvent.fill(field('email'), 'ada@example.com')
  await userEvent.fill(field('copies'), '3')
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([['q1', { action: 'submit', input: { email: 'ada@example.com', copies: 3 } }]])
})

test("a form sends the digest of the version that it drew, which may be older than the client's [HP-SHN-5]", async () => {
  const drawn = form()
  const { client } = await show(<InputForm interaction={drawn} />)
  await userEvent.fill(field('email'), 'ada@example.com')
  await userEvent.click(part('submit'))
  const sent = client.calls.find(({ method }) => method === 'respond')
  expect(sent?.args[1]).toMatchObject({ shownDigest: shownDigest(drawn.request) })
})

test('a required checkbox that is not checked is reported at its field, and nothing is sent', async () => {
  const terms = { id: 'terms', type: 'checkbox', label: 'I agree', required: true, const: true } as const
  const { client } = await show(
    <InputForm interaction={form({ request: { inputSchema: { type: 'form', fields: [terms] } } })} />,
  )
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([])
  expect(document.activeElement).toBe(field('terms'))
  expect(document.querySelector('.hp-problem')?.textContent).toBe('This must be ticked.')
  await userEvent.click(field('terms'))
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([['q1', { action: 'submit', input: { terms: true } }]])
})

const dismissible = form({ request: { labels: { cancel: 'Dismiss' } } })

test('a form can be dismissed only if the application names that button', async () => {
  const { unmount } = await show(<InputForm interaction={form()} />)
  expect(part('decline').textContent).toBe('Decline')
  expect(document.querySelector('[data-slot="dismiss"]')).toBeNull()
  await unmount()
  await show(<InputForm interaction={form({ request: { labels: { cancel: 'Forget the report' } } })} />)
  expect(part('dismiss').textContent).toBe('Forget the report')
})

test('send, decline and dismiss send different actions', async () => {
  for (const [slot, action] of [
    ['decline', 'decline'],
    ['dismiss', 'cancel'],
  ] as const) {
    const { client, unmount } = await show(<InputForm interaction={dismissible} />)
    await userEvent.click(part(slot))
    expect(answers(client)).toEqual([['q1', { action }]])
    await unmount()
  }
})

test('Enter in a text field submits the form once, and Enter in a text area adds a line', async () => {
  const { client } = await show(
    <InputForm
      interaction={form({ request: { inputSchema: { type: 'form', fields: [allFields[0]!, allFields[3]!] } } })}
    />,
  )
  await userEvent.click(document.querySelector('textarea')!)
  await userEvent.keyboard('one{Enter}two')
  expect(answers(client)).toEqual([])
  await userEvent.click(field('name'))
  await userEvent.keyboard('Ada{Enter}{Enter}')
  expect(answers(client)).toEqual([['q1', { action: 'submit', input: { name: 'Ada', about: 'one\ntwo' } }]])
})

test('Enter that ends an IME composition does not submit the form', async () => {
  const { client } = await show(
    <InputForm interaction={form({ request: { inputSchema: { type: 'form', fields: [allFields[0]!] } } })} />,
  )
  await userEvent.click(field('name'))
  await cdp().send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
  field('name').dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true, bubbles: true, cancelable: true }),
  )
  await cdp().send('Input.insertText', { text: '日' })
  // Safari ends the composition before it reports the key: only its code tells.
  const late = new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })
  expect(field('name').dispatchEvent(late)).toBe(false)
  expect(field('name').value).toBe('日')
  expect(answers(client)).toEqual([])
})

test('a field with the only error receives the focus, describes the error, and keeps its input', async () => {
  const { client } = await show(<InputForm interaction={form()} />)
  await userEvent.fill(field('email'), 'not an address')
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([])
  expect(document.activeElement).toBe(field('email'))
  expect(field('email').getAttribute('aria-invalid')).toBe('true')
  const about = field('email')
    .getAttribute('aria-describedby')!
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
  expect(about.join()).toContain('Give an e-mail address')
  expect(field('email').value).toBe('not an address')
  expect(document.querySelector('[data-slot="error-summary"]')).toBeNull()
  await userEvent.keyboard('x')
  expect(field('email').getAttribute('aria-invalid')).toBeNull()
})

test('several errors are listed in a summary that receives the focus, with links to the fields [C7.2]', async () => {
  await show(<InputForm interaction={everything} />)
  await userEvent.click(part('submit'))
  const summary = part('error-summary')
  expect(document.activeElement).toBe(summary)
  expect(summary.textContent).toContain('3 answers need another look')
  await userEvent.click([...summary.querySelectorAll('a')].find((link) => link.textContent?.startsWith('Paper'))!)
  expect((document.activeElement as HTMLInputElement).type).toBe('radio')
})

test('a form that appears with errors takes no focus', async () => {
  await show(
    <InputForm interaction={form({ request: { attempt: 2, fieldErrors: { email: ['No'], copies: ['No'] } } })} />,
  )
  expect(part('error-summary')).toBeDefined()
  expect(document.activeElement).toBe(document.body)
})

test('an error of the server is shown at its field, and all other input is kept', async () => {
  const client = fakeClient({ interactions: [form()] })
  const { again } = await show((given) => <InputForm interaction={given.getSnapshot().interactions.get('q1')} />, {
    client,
  })
  await userEvent.fill(field('email'), 'ada@exmaple.com')
  await userEvent.fill(field('copies'), '7')
  await userEvent.click(part('submit'))
  client.put({ ...form(), problem: { code: 'invalid_input', message: 'x', fieldErrors: { email: ['No such host.'] } } })
  await again()
  expect(document.activeElement).toBe(field('email'))
  expect(part('form').textContent).toContain('No such host.')
  expect([field('email').value, field('copies').value]).toEqual(['ada@exmaple.com', '7'])
  await expect.poll(liveText).toContain('Not accepted')
})

test('an error that arrives while the user writes elsewhere takes no focus', async () => {
  const client = fakeClient({ interactions: [form()] })
  const { again } = await show(
    (given) => (
      <>
        <InputForm interaction={given.getSnapshot().interactions.get('q1')} />
        <input aria-label="Message" />
      </>
    ),
    { client },
  )
  await userEvent.fill(field('email'), 'ada@exmaple.com')
  await userEvent.click(part('submit'))
  const composer = document.querySelector<HTMLInputElement>('[aria-label="Message"]')!
  composer.focus()
  client.put({ ...form(), problem: { code: 'invalid_input', message: 'x', fieldErrors: { email: ['No.'] } } })
  await again()
  expect(part('form').textContent).toContain('No.')
  expect(document.activeElement).toBe(composer)
})

test('a reprompt keeps the surface, the fields, all input and the focus, and shows the error at its field [C7.1]', async () => {
  const client = fakeClient({ interactions: [form()] })
  await show(<ToolInteraction toolCallId="call-1" />, { client })
  await userEvent.fill(field('copies'), '7')
  await userEvent.fill(field('email'), 'ada@exmaple.com')
  await userEvent.keyboard('{Enter}')
  const before = field('email')
  client.put(answered(form(), { action: 'submit', input: {} }))
  client.put(
    form({
      interactionId: 'q2',
      replaces: 'q1',
      request: { attempt: 2, error: 'Look again.', fieldErrors: { email: ['No such host.'] } },
    }),
  )
  await expect.poll(() => part('card').dataset.state).toBe('reprompted')
  expect(document.querySelectorAll('[data-slot="card"]')).toHaveLength(1)
  expect(field('email').value).toBe('ada@exmaple.com')
  expect(field('copies').value).toBe('7')
  expect(part('card').textContent).toContain('No such host.')
  expect(part('card').textContent).toContain('Look again.')
  expect(before.isConnected).toBe(true)
})

test('stored values win over defaults, and a number is kept as typed', async () => {
  const { client } = await show(<InputForm interaction={form({ request: { initialValues: { copies: 5 } } })} />)
  expect(field('copies').value).toBe('5')
  await userEvent.fill(field('copies'), '1e')
  expect(field('copies').value).toBe('1e')
  await userEvent.fill(field('email'), 'a@b.co')
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([])
  expect(field('copies').value).toBe('1e')
})

test('the input survives unmounting the card', async () => {
  const client = fakeClient({ interactions: [form()] })
  const { rerender } = await show(<p>away</p>, { client })
  const { StoryFrame } = await import('../testing/story-frame.tsx')
  const page = (shown: boolean) => (
    <StoryFrame client={client}>{shown ? <InputForm interaction={form()} /> : null}</StoryFrame>
  )
  await rerender(page(true))
  await userEvent.fill(field('email'), 'ada@')
  await rerender(page(false))
  await rerender(page(true))
  expect(field('email').value).toBe('ada@')
})

test('a file is uploaded when it is selected, and its handle is sent', async () => {
  const fields = [{ id: 'data', type: 'file', label: 'Data', accept: ['.csv'], required: true }] as const
  const { client } = await show(
    <InputForm interaction={form({ request: { inputSchema: { type: 'form', fields: [...fields] as never } } })} />,
  )
  await userEvent.upload(field('data'), new File(['a,b'], 'numbers.csv', { type: 'text/csv' }))
  await expect.poll(() => part('file').textContent).toContain('numbers.csv')
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([
    [
      'q1',
      {
        action: 'submit',
        input: { data: { handle: 'upload-numbers.csv', name: 'numbers.csv', size: 3, type: 'text/csv' } },
      },
    ],
  ])
})

test('a failed upload is reported at its field, and nothing is sent', async () => {
  const client = fakeClient({ methods: { upload: async () => Promise.reject(new Error('gone')) } })
  await show(
    <InputForm
      interaction={form({
        request: {
          inputSchema: { type: 'form', fields: [{ id: 'data', type: 'file', label: 'Data', required: true }] },
        },
      })}
    />,
    { client },
  )
  await userEvent.upload(field('data'), new File(['x'], 'x.csv'))
  await expect.poll(() => part('file').textContent).toContain('was not uploaded')
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([])
})

test('a submitted form is a list of names and values, and a secret is shown only as set or not set', async () => {
  const done = answered(everything, {
    action: 'submit',
    input: { name: 'Ada', key: { secret: true }, topics: ['sales', 'costs'] },
  })
  await show(<InputForm interaction={done} />)
  await userEvent.click(part('outcome'))
  const pairs = [...document.querySelectorAll('dl > div')].map((pair) => [
    pair.querySelector('dt')?.textContent,
    pair.querySelector('dd')?.textContent,
  ])
  expect(Object.fromEntries(pairs)).toMatchObject({
    Name: 'Ada',
    'API key': 'Set',
    Topics: 'Sales, Costs',
    Data: 'Nothing given',
  })
  expect(document.querySelector('input, button[data-slot="submit"]')).toBeNull()
})

test('every field has a name, the matching keyboard and its autocomplete value', async () => {
  await show(<InputForm interaction={everything} />)
  expect([field('email').type, field('email').inputMode, field('email').autocomplete]).toEqual([
    'email',
    'email',
    'email',
  ])
  expect([field('copies').type, field('copies').inputMode]).toEqual(['text', 'numeric'])
  expect([field('key').type, field('key').autocomplete]).toEqual(['password', 'off'])
  expect(field('name').autocomplete).toBe('name')
  expect(field('name').getAttribute('aria-required')).toBe('true')
  expect(document.querySelector('label')?.textContent).toContain('(required)')
})

test('error texts come from one list in English, and sizes are not shown in bytes', async () => {
  const large = { handle: 'f1', name: 'a.csv', size: 3_000_000, type: 'text/csv' }
  const fields = [{ id: 'data', type: 'file', label: 'Data', maxBytes: 2_500_000, defaultValue: large }] as const
  await show(<InputForm interaction={form({ request: { inputSchema: { type: 'form', fields: [...fields] } } })} />)
  await userEvent.click(part('submit'))
  expect(document.querySelector('.hp-problem')?.textContent).toBe('The file must be 2.5 MB or less.')
})
