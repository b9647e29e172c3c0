import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { german } from '../locales/de.ts'
import { approval } from '../testing/interactions.ts'
import { answers, part, show } from '../testing/render.tsx'
import { ApprovalDialog } from './approval-dialog.tsx'

const args = {
  to: ['ada@example.com', 'grace@example.org'],
  subject: 'Launch on 5 March',
  body: 'Hello,\n\nwe launch tomorrow.',
  amount_cents: 1_249_900,
  currency: 'EUR',
  send_on: '2026-03-05',
  notify: false,
  options: { retries: 3, region: 'eu', nothing: null },
  attachments: [{ name: 'plan.pdf', pages: 12 }],
}

const editor = async (given: unknown = args, provider = {}) => {
  const asked = approval({ request: { editable: true, args: given } })
  const shown = await show(<ApprovalDialog interaction={asked} />, { provider })
  await userEvent.click(part('edit'))
  return shown
}
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const press = async () => {
  part('approve').focus()
  await userEvent.keyboard('{Enter}')
}
const sent = (client: Parameters<typeof answers>[0]) =>
  (answers(client)[0]?.[1] as { args?: unknown } | undefined)?.args

describe('arguments without a schema are edited in fields', () => {
  test('that have the labels of the rows and the kinds of the values', async () => {
    await editor()
    expect(document.querySelector('[data-slot="argument-editor"]')).toBeNull()
    expect(part('argument-fields').textContent).not.toMatch(/[{}"]/)
    await expect.element(field('Subject')).toHaveValue('Launch on 5 March')
    await expect.element(field('Body')).toHaveValue('Hello,\n\nwe launch tomorrow.')
    await expect.element(field('To 2')).toHaveValue('grace@example.org')
    await expect.element(field('Retries')).toHaveValue('3')
    await expect.element(page.getByLabelText('Send on')).toHaveAttribute('type', 'date')
    await expect.element(page.getByRole('checkbox', { name: 'Notify' })).not.toBeChecked()
    await expect.element(page.getByRole('group', { name: 'Options' })).toBeVisible()
    await expect.element(field('Name')).toHaveValue('plan.pdf')
    // Cents alone would be read as whole euros.
    await expect.element(field('Amount cents')).toHaveAccessibleDescription('Amount: EUR\u00a012,499.00')
  })

  test('an unchanged form is no edit: a plain yes is sent', async () => {
    const { client } = await editor()
    await userEvent.click(field('Subject'))
    await userEvent.keyboard('{Tab}{Tab}')
    await press()
    expect(answers(client)).toEqual([['q1', { action: 'approve' }]])
  })

  test('what was changed is sent, everything else stays as it was', async () => {
    const { client } = await editor()
    await userEvent.fill(field('Subject'), 'Launch on 6 March')
    await userEvent.fill(field('Amount cents'), '1000000')
    await userEvent.click(page.getByRole('checkbox', { name: 'Notify' }))
    await userEvent.fill(field('Pages'), '13')
    expect(part('arguments').textContent).toContain('Edited by you')
    await press()
    expect(sent(client)).toEqual({
      ...args,
      ...{ subject: 'Launch on 6 March', amount_cents: 1_000_000, notify: true },
      attachments: [{ name: 'plan.pdf', pages: 13 }],
    })
  })

  test('entries of a list are removed and added by keyboard, and focus stays in the list', async () => {
    const { client } = await editor({ to: ['ada', 'grace'] })
    page.getByRole('button', { name: 'Remove ada' }).element().focus()
    await userEvent.keyboard('{Enter}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove grace')
    page.getByRole('button', { name: 'Add an entry' }).element().focus()
    await userEvent.keyboard('{Enter}')
    expect((document.activeElement as HTMLInputElement).labels?.[0]?.textContent).toBe('To 2')
    await userEvent.keyboard('kay')
    await press()
    expect(sent(client)).toEqual({ to: ['grace', 'kay'] })
  })

  test('the last entry of a list can be removed: focus moves to the button that adds one', async () => {
    const { client } = await editor({ to: ['ada'] })
    page.getByRole('button', { name: 'Remove ada' }).element().focus()
    await userEvent.keyboard('{Enter}')
    expect((document.activeElement as HTMLElement).dataset.slot).toBe('add-item')
    await press()
    expect(sent(client)).toEqual({ to: [] })
  })

  test('numbers are typed in the format of the reader, and what is no number is not sent', async () => {
    const { client } = await editor({ limits: { price: 10 } }, { locale: 'de', messages: german })
    await userEvent.fill(field('Price'), 'viel')
    expect(part('argument-fields').textContent).toContain('nicht die Art von Wert')
    await press()
    expect(answers(client)).toEqual([])
    await userEvent.fill(field('Price'), '3,5')
    await press()
    expect(sent(client)).toEqual({ limits: { price: 3.5 } })
  })

  test('the rows after an edit are what is sent', async () => {
    const { client } = await editor({ to: 'ada', amount: 5 })
    await userEvent.fill(field('Amount'), '7')
    await userEvent.click(part('edit'))
    expect(part('readable').textContent).toBe('ToadaAmountChanged7')
    await press()
    expect(sent(client)).toEqual({ to: 'ada', amount: 7 })
  })

  test('a text with characters that cannot be seen has no field and is shown with escapes', async () => {
    await editor({ note: 'x\u202Ey', other: 'z' })
    expect(part('argument-fields').textContent).toContain('x\\u202Ey')
    expect(document.querySelectorAll('[data-slot="argument-fields"] input')).toHaveLength(1)
  })
})

describe('JSON is one press away', () => {
  test('and takes over what was typed, in both directions', async () => {
    const { client } = await editor({ to: 'ada', amount: 5 })
    await userEvent.fill(field('Amount'), '7')
    await userEvent.click(part('edit-as'))
    expect(JSON.parse((part('argument-editor') as HTMLTextAreaElement).value)).toEqual({ to: 'ada', amount: 7 })
    await userEvent.fill(part('argument-editor'), '{"to":"grace","amount":8,"copy":["kay"]}')
    await userEvent.click(part('edit-as'))
    await expect.element(field('Copy 1')).toHaveValue('kay')
    await userEvent.fill(field('To'), 'lin')
    await press()
    expect(sent(client)).toEqual({ to: 'lin', amount: 8, copy: ['kay'] })
  })

  test('what is no number yet can be corrected there', async () => {
    await editor({ amount: 5 })
    await userEvent.fill(field('Amount'), '7x')
    await userEvent.click(part('edit-as'))
    expect(JSON.parse((part('argument-editor') as HTMLTextAreaElement).value)).toEqual({ amount: '7x' })
  })

  test('broken JSON cannot be shown in fields: the button is disabled', async () => {
    await editor({ amount: 5 })
    await userEvent.click(part('edit-as'))
    await userEvent.fill(part('argument-editor'), '{')
    expect(part('edit-as').getAttribute('aria-disabled')).toBe('true')
  })

  test('what has no fields is edited as JSON at once', async () => {
    await editor(['a'])
    expect((part('argument-editor') as HTMLTextAreaElement).value).toContain('"a"')
    expect(document.querySelector('[data-slot="edit-as"]')).toBeNull()
  })

  test('JSON returns to the fields of a schema only if they can show all of it', async () => {
    const argsSchema = { type: 'form' as const, fields: [{ id: 'n', type: 'integer' as const, label: 'N' }] }
    const asked = approval({ request: { editable: true, args: { n: 1 }, argsSchema } })
    const { client } = await show(<ApprovalDialog interaction={asked} />)
    await userEvent.click(part('edit'))
    await userEvent.click(part('edit-as'))
    await userEvent.fill(part('argument-editor'), '{"n":2,"more":true}')
    expect(document.querySelector('[data-slot="edit-as"]')).toBeNull()
    await userEvent.fill(part('argument-editor'), '{"n":2}')
    await userEvent.click(part('edit-as'))
    await expect.element(field('N')).toHaveValue('2')
    await press()
    expect(sent(client)).toEqual({ n: 2 })
  })
})
