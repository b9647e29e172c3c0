import { afterEach, expect, test, vi } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { approval } from '../testing/interactions.ts'
import { answers, part, show, wait } from '../testing/render.tsx'
import { storyClock } from '../testing/story-frame.tsx'
import { ApprovalDialog } from './approval-dialog.tsx'

const armed = () => part('approve').dataset.armed
const press = (more: PointerEventInit) =>
  part('approve').dispatchEvent(new PointerEvent('click', { bubbles: true, cancelable: true, detail: 1, ...more }))

/** The computed styles of a button. */
const lookOf = (button: HTMLElement) => {
  const style = getComputedStyle(button)
  return Object.fromEntries([...style].map((name) => [name, style.getPropertyValue(name)]))
}

afterEach(() => vi.restoreAllMocks())

test.each([
  ['a screen reader reports a press without a pointer', { detail: 0 }],
  ['a screen reader on a phone reports a point without a size', { pointerType: 'touch', width: 0, height: 0 }],
])('a press works without a wait if %s', async (_, how) => {
  const { client } = await show(<ApprovalDialog interaction={approval()} />)
  expect(armed()).toBe('false')
  press(how)
  expect(answers(client)).toHaveLength(1)
})

test('threat 9: the button waits again after another tab was in front', async () => {
  const { client } = await show(<ApprovalDialog interaction={approval()} />)
  await expect.poll(armed).toBe('true')
  const visibility = vi.spyOn(document, 'visibilityState', 'get')
  const turn = (state: DocumentVisibilityState) => {
    visibility.mockReturnValue(state)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  turn('hidden')
  turn('visible')
  press({ pointerType: 'mouse', width: 1, height: 1 })
  expect(answers(client)).toEqual([])
  await expect.poll(armed).toBe('true')
  await userEvent.click(part('approve'))
  expect(answers(client)).toHaveLength(1)
})

test('threat 9: the button does not arm out of view, and waits after it comes into view', async () => {
  const { container } = await show(<ApprovalDialog interaction={approval()} />)
  container.style.paddingTop = '3000px'
  await expect.poll(armed).toBe('false')
  part('approve').scrollIntoView()
  await expect.poll(armed).toBe('true')
})

const hint = () => document.querySelector('[data-slot="hint"]')?.textContent
const place = () => part('approve').getBoundingClientRect()

/** A chat that scrolls, with the card in its middle. */
async function chat() {
  const shown = await show(
    <div data-testid="chat" style={{ blockSize: 500, overflowY: 'auto' }}>
      <div style={{ blockSize: 300 }} />
      <ApprovalDialog interaction={approval()} />
      <div style={{ blockSize: 900 }} />
    </div>,
  )
  const scroller = document.querySelector<HTMLElement>('[data-testid="chat"]')!
  part('approve').scrollIntoView({ block: 'center' })
  await expect.poll(armed).toBe('true')
  return { ...shown, scroller }
}

/** Turns the wheel above the chat, as a mouse does. */
async function wheel(deltaY: number) {
  const frame = window.frameElement?.getBoundingClientRect() ?? new DOMRect()
  const { x, y } = document.querySelector('[data-testid="chat"]')!.getBoundingClientRect()
  await cdp().send('Input.dispatchMouseEvent', {
    type: 'mouseWheel',
    x: frame.x + x + 40,
    y: frame.y + y + 40,
    deltaX: 0,
    deltaY,
  })
}

test('a press directly after the user scrolled counts', async () => {
  const { client, scroller } = await chat()
  const before = scroller.scrollTop
  await wheel(60)
  await expect.poll(() => scroller.scrollTop - before).toBeGreaterThan(40)
  expect(armed()).toBe('true')
  press({ pointerType: 'mouse', width: 1, height: 1 })
  expect(answers(client)).toHaveLength(1)
})

test('threat 9: a press has no effect while the page scrolls by itself and moves the button', async () => {
  const { client, scroller } = await chat()
  scroller.scrollTop += 60
  press({ pointerType: 'mouse', width: 1, height: 1 })
  expect(answers(client)).toEqual([])
  await expect.poll(armed).toBe('true')
  press({ pointerType: 'mouse', width: 1, height: 1 })
  expect(answers(client)).toHaveLength(1)
})

test('a button that is not armed yet looks as usual, and the hint after an early press does not move the layout', async () => {
  const { client } = await show(<ApprovalDialog interaction={approval()} />)
  expect(armed()).toBe('false')
  expect(part('approve').getAttribute('aria-disabled')).toBeNull()
  const height = part('card').getBoundingClientRect().height
  const before = place()
  press({ pointerType: 'mouse', width: 1, height: 1 })
  await expect.poll(hint).toContain('Press again')
  expect(part('card').getBoundingClientRect().height).toBe(height)
  expect([place().x, place().y]).toEqual([before.x, before.y])
  const line = part('hint').getBoundingClientRect()
  expect(line.top).toBeGreaterThanOrEqual(place().bottom)
  expect(line.bottom).toBeLessThanOrEqual(part('card').getBoundingClientRect().bottom)
  await expect.poll(armed).toBe('true')
  await userEvent.click(part('approve'))
  expect(answers(client)).toHaveLength(1)
})

test('a button has the same look before and after it is armed', async () => {
  let now = 0
  const clock = { ...storyClock, now: () => now }
  await show(<ApprovalDialog interaction={approval()} />, { provider: { clock } })
  // The pointer of an earlier test may rest on the button.
  await userEvent.hover(part('prompt'))
  await wait(300)
  const look = lookOf(part('approve'))
  expect(armed()).toBe('false')
  now = 1_000
  await expect.poll(armed).toBe('true')
  await wait(300)
  expect(lookOf(part('approve'))).toEqual(look)
})

test('threat 9: a press that began before the button was armed has no effect when it ends', async () => {
  const { client } = await show(<ApprovalDialog interaction={approval()} />)
  part('approve').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'mouse' }))
  await expect.poll(armed).toBe('true')
  press({ pointerType: 'mouse', width: 1, height: 1 })
  expect(answers(client)).toEqual([])
  press({ pointerType: 'mouse', width: 1, height: 1 })
  expect(answers(client)).toHaveLength(1)
})
