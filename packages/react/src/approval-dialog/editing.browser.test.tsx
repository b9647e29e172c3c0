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

describe('editing arguments without a schema in fields', () => {
  test('uses the labels of the rows and the types of the values', async () => {
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

  test('sends a plain approval if nothing was changed', async () => {
    const { client } = await editor()
    await userEvent.click(field('Subject'))
    await userEvent.keyboard('{Tab}{Tab}')
    await press()
    expect(answers(client)).toEqual([['q1', { action: 'approve' }]])
  })

  test('sends changed values, and keeps all others', async () => {
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

  test('removes and adds entries of a list by keyboard, and the focus stays in the list', async () => {
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

  test('removes the last entry of a list, and the focus moves to the button that adds one', async () => {
    const { client } = await editor({ to: ['ada'] })
    page.getByRole('button', { name: 'Remove ada' }).element().focus()
    await userEvent.keyboard('{Enter}')
    expect((document.activeElement as HTMLElement).dataset.slot).toBe('add-item')
    await press()
    expect(sent(client)).toEqual({ to: [] })
  })

  test('reads numbers in the format of the user’s locale, and does not send text that is no number', async () => {
    const { client } = await editor({ limits: { price: 10 } }, { locale: 'de', messages: german })
    await userEvent.fill(field('Price'), 'viel')
    expect(part('argument-fields').textContent).toContain('Angabe dieser Art passt hier nicht')
    await press()
    expect(answers(client)).toEqual([])
    await userEvent.fill(field('Price'), '3,5')
    await press()
    expect(sent(client)).toEqual({ limits: { price: 3.5 } })
  })

  test('shows as rows after an edit what will be sent', async () => {
    const { client } = await editor({ to: 'ada', amount: 5 })
    await userEvent.fill(field('Amount'), '7')
    await userEvent.click(part('edit'))
    expect(part('readable').textContent).toBe('ToadaAmountChanged7')
    await press()
    expect(sent(client)).toEqual({ to: 'ada', amount: 7 })
  })

  test('offers no field for a text with invisible characters, which are shown as escapes', async () => {
    await editor({ note: 'x\u202Ey', other: 'z' })
    expect(part('argument-fields').textContent).toContain('x\\u{202e}y')
    expect(document.querySelectorAll('[data-slot="argument-fields"] input')).toHaveLength(1)
  })
})

describe('editing arguments as JSON', () => {
  test('takes over the input of the fields, and the reverse', async () => {
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

  test('takes over a text that is no number yet, so that it can be corrected', async () => {
    await editor({ amount: 5 })
    await userEvent.fill(field('Amount'), '7x')
    await userEvent.click(part('edit-as'))
    expect(JSON.parse((part('argument-editor') as HTMLTextAreaElement).value)).toEqual({ amount: '7x' })
  })

  test('disables the button for fields while the JSON is invalid', async () => {
    await editor({ amount: 5 })
    await userEvent.click(part('edit-as'))
    await userEvent.fill(part('argument-editor'), '{')
    expect(part('edit-as').getAttribute('aria-disabled')).toBe('true')
  })

  test('starts at once if arguments have no fields', async () => {
    await editor(['a'])
    expect((part('argument-editor') as HTMLTextAreaElement).value).toContain('"a"')
    expect(document.querySelector('[data-slot="edit-as"]')).toBeNull()
  })

  test('returns to the fields of a schema only if they can show all of it', async () => {
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
