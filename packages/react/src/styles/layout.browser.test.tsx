import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { AuthRequestCard } from '../auth-request-card/auth-request-card.tsx'
import { InputForm } from '../input-form/input-form.tsx'
import { allFields, answered, approval, connect, form } from '../testing/interactions.ts'
import { part, show } from '../testing/render.tsx'

const long = form({ request: { inputSchema: { type: 'form', fields: allFields } } })
const box = (slot: string) => part(slot).getBoundingClientRect()

afterEach(() => vi.unstubAllGlobals())

test('the actions of a form stay above a composer that is fixed to the bottom', async () => {
  await page.viewport(480, 640)
  await show(
    <div style={{ '--hp-sticky-inset-end': '120px' } as object}>
      <InputForm interaction={long} />
      <div data-slot="composer" style={{ position: 'fixed', insetBlockEnd: 0, insetInline: 0, blockSize: 120 }} />
    </div>,
  )
  window.scrollTo(0, 0)
  expect(box('submit').bottom).toBeLessThanOrEqual(window.innerHeight - 120)
  part('card').parentElement!.style.setProperty('--hp-sticky-inset-end', '0px')
  expect(document.elementFromPoint(240, 630)?.getAttribute('data-slot')).toBe('composer')
})

test('the actions of a form stay in view while its fields scroll', async () => {
  await page.viewport(480, 640)
  await show(<InputForm interaction={long} />)
  window.scrollTo(0, 0)
  expect(document.documentElement.scrollHeight).toBeGreaterThan(1_000)
  expect(box('submit').bottom).toBeLessThanOrEqual(window.innerHeight)
  // A focused field is not hidden behind them.
  document.querySelector<HTMLElement>('[name="ratio"]')!.focus()
  expect(document.activeElement!.getBoundingClientRect().bottom).toBeLessThanOrEqual(box('actions').top)
})

test.each([
  [480, 'a sheet at the bottom'],
  [481, 'a window in the middle'],
])('the larger view at %i pixels is %s', async (width, what) => {
  await page.viewport(width, 700)
  await show(<ApprovalDialog interaction={approval()} />)
  await userEvent.click(part('pop-out'))
  await expect.poll(() => document.querySelector('[data-slot="pop-out-view"]')).not.toBeNull()
  const view = box('pop-out-view')
  const sheet = view.bottom === 700 && view.left === 0 && view.width === width
  expect(sheet ? 'a sheet at the bottom' : 'a window in the middle').toBe(what)
})

test('an on-screen keyboard lifts the sheet, and its buttons stay visible above it', async () => {
  await page.viewport(400, 700)
  const viewport = Object.assign(new EventTarget(), { height: 700, offsetTop: 0 })
  vi.stubGlobal('visualViewport', viewport)
  await show(<InputForm interaction={long} />)
  await userEvent.click(part('pop-out'))
  await expect.poll(() => document.querySelector('[data-slot="pop-out-view"]')).not.toBeNull()
  viewport.height = 420
  viewport.dispatchEvent(new Event('resize'))
  await expect.poll(() => box('pop-out-view').bottom).toBe(420)
  expect(box('submit').bottom).toBeLessThanOrEqual(420)
  expect(box('pop-out-view').top).toBeGreaterThanOrEqual(0)
})

test.each([
  ['160 pixels', 160, '100%'],
  ['320 pixels with text of twice the size', 320, '200%'],
])('at %s words have the width of the card, and nothing scrolls sideways', async (_, width, size) => {
  await page.viewport(width, 900)
  document.documentElement.style.fontSize = size
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
  const inside = () => part('card').clientWidth - 32
  await show(<ApprovalDialog interaction={approval()} />)
  expect(box('prompt').width).toBeGreaterThanOrEqual(inside() - 1)
  expect(box('pop-out').bottom).toBeLessThanOrEqual(box('prompt').top)
  await cleanup()
  await show(<ApprovalDialog interaction={answered(approval(), { action: 'approve' })} />)
  expect(document.querySelector('.hp-outcome-text')!.clientWidth).toBeGreaterThanOrEqual(inside() - 1)
  await cleanup()
  await show(<AuthRequestCard interaction={connect()} />)
  expect(box('connect').width).toBeGreaterThanOrEqual(inside() - 1)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
})

const ENGLISH = `Where should the report go? ${'Tell us more. '.repeat(30)}`
const ARABIC = `أين يجب أن يذهب التقرير؟ ${'أخبرنا المزيد. '.repeat(30)}`

test.each([
  ['English on a left-to-right page', ENGLISH, 'ltr'],
  ['English on a right-to-left page', ENGLISH, 'rtl'],
  ['Arabic on a left-to-right page', ARABIC, 'ltr'],
  ['Arabic on a right-to-left page', ARABIC, 'rtl'],
] as const)('the long question of a settled card is truncated at its end: %s', async (_, prompt, dir) => {
  await show(<InputForm interaction={answered(form({ request: { prompt } }), { action: 'decline' })} />, {
    provider: { dir },
  })
  const gist = document.querySelector<HTMLElement>('.hp-gist')!
  expect(gist.scrollWidth).toBeGreaterThan(gist.clientWidth)
  const [frame, first] = [gist.getBoundingClientRect(), document.createRange()]
  first.setStart(gist.firstChild!, 0)
  first.setEnd(gist.firstChild!, 5)
  const { left, right } = first.getBoundingClientRect()
  expect(left).toBeGreaterThanOrEqual(Math.floor(frame.left))
  expect(right).toBeLessThanOrEqual(Math.ceil(frame.right))
})
