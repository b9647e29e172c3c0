import type { Interaction } from '@holdpoint/core'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { german } from '../locales/de.ts'
import { previewed } from '../testing/previewed.ts'
import { argsOf, part, show } from '../testing/render.tsx'
import { argumentChecks } from './definition/argument-checks.ts'
import { definePreview } from './index.ts'

const preview = () => document.querySelector<HTMLElement>('[data-slot="preview"]')
const shown = async () => {
  await expect.poll(preview).not.toBeNull()
  return preview()!.textContent ?? ''
}
afterEach(() => vi.restoreAllMocks())

const names = Object.keys(previewed) as (keyof typeof previewed)[]

/** Every text and number of some arguments. */
function leaves(value: unknown): (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}

test.each(names)('the preview of %s shows every argument, as it is or in the user’s locale', async (name) => {
  const question = previewed[name]()
  await show(<ApprovalDialog interaction={question} />)
  await shown()
  const text = part('arguments').textContent ?? ''
  const written = [
    '12,499.00',
    'March 15, 2026',
    'March 10, 2026 at 2:00',
    'March 10, 2026 at 3:30',
    '482,113',
    '4,120',
  ]
  const missing = leaves(argsOf(question)).filter((leaf) => !text.includes(`${leaf}`))
  expect(missing.length).toBeLessThanOrEqual(
    written.filter((one) => text.replace(/[\u202f\u00a0]/g, ' ').includes(one)).length,
  )
})

test('additional arguments next to those of a preview are all shown on the card', async () => {
  const kinds = ['cc', 'note', 'headers', 'size', 'toString', 'to', 'params', 'amount', 'files', 'date']
  const runs = names.flatMap((name) =>
    kinds.map(
      (kind, at) => [name, { [`${kind}_x`]: `Value${at}of${kind}`, [`${kind}_y`]: { deep: [`Deep${at}`] } }] as const,
    ),
  )
  for (const [name, more] of runs) {
    const { unmount } = await show(<ApprovalDialog interaction={previewed[name](more)} />)
    await shown()
    const text = part('arguments').textContent ?? ''
    expect(
      leaves(more).filter((value) => !text.includes(`${value}`)),
      name,
    ).toEqual([])
    await unmount()
  }
})

test('the exact request is shown after one press, and equals the arguments that run', async () => {
  const question = previewed.http()
  await show(<ApprovalDialog interaction={question} />)
  await shown()
  await userEvent.click(part('exact'))
  expect(JSON.parse(part('arguments').querySelector('pre')!.textContent!)).toEqual(argsOf(question))
})

test.each([
  ['of another type', previewed.payment({ amount_cents: 'a lot' })],
  ['with invisible characters', previewed.email({ subject: 'invoice\u202Efdp.exe' })],
  ['with a user name in an address', previewed.http({ url: 'https://bank.example@evil.example/' })],
  ['with an address that is none', previewed.http({ url: 'javascript:alert(1)' })],
  ['without a required one', previewed.email({ body: undefined })],
])('arguments %s are rows', async (_, question: Interaction) => {
  await show(<ApprovalDialog interaction={question} />)
  await expect.poll(() => document.querySelectorAll('[data-slot="argument"]').length).toBeGreaterThan(2)
  expect(preview()).toBeNull()
  expect(part('arguments').textContent).not.toContain('\u202e')
})

test('look-alike letters of a host are shown in punycode', async () => {
  await show(<ApprovalDialog interaction={previewed.http({ url: 'https://аpple.example/' })} />)
  expect(await shown()).toContain('xn--pple-43d.example')
})

test('an agent cannot select a preview: only tool names that the app maps have one', async () => {
  const forged = { ...previewed.email(), toolName: 'constructor' }
  await show(<ApprovalDialog interaction={forged} />)
  await expect.poll(() => document.querySelectorAll('[data-slot="argument"]').length).toBeGreaterThan(3)
  expect(preview()).toBeNull()
})

test.each([
  ['cannot be loaded', () => Promise.reject(new Error('gone'))],
  [
    'throws',
    async () => ({
      default: () => {
        throw new Error('broken')
      },
    }),
  ],
] as const)('a preview that %s is replaced by rows', async (_, load) => {
  // React reports what a boundary has caught.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const Broken = definePreview({ fields: { command: { accepts: argumentChecks.text } }, load: load as never })
  await show(<ApprovalDialog interaction={previewed.shell()} />, { provider: { renderers: { run_command: Broken } } })
  await expect.poll(() => document.querySelectorAll('[data-slot="argument"]').length).toBeGreaterThan(2)
  expect(part('arguments').textContent).toContain('rm -rf dist')
})

test('an edited request is shown as rows, so that each change is marked', async () => {
  const question = previewed.shell()
  const editable = { ...question, request: { ...question.request, editable: true } as Interaction['request'] }
  await show(<ApprovalDialog interaction={editable} />)
  await shown()
  await userEvent.click(part('edit'))
  await userEvent.click(part('edit-as'))
  await userEvent.fill(part('argument-editor'), '{"command":"ls"}')
  await userEvent.click(part('edit'))
  expect(preview()).toBeNull()
  expect(part('arguments').textContent).toContain('Changed')
})

test('labels follow the language of the provider', async () => {
  await show(<ApprovalDialog interaction={previewed.email()} />, { provider: { messages: german, locale: 'de-AT' } })
  expect(await shown()).toContain('Betreff')
})

test('a preview fits into 320 pixels', async () => {
  await page.viewport(320, 800)
  for (const name of names) {
    const { unmount } = await show(<ApprovalDialog interaction={previewed[name]()} />)
    await shown()
    expect(document.documentElement.scrollWidth, name).toBeLessThanOrEqual(320)
    await unmount()
  }
  await page.viewport(414, 896)
})
