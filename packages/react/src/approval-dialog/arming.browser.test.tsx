import { afterEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { approval } from '../testing/interactions.ts'
import { answers, part, show } from '../testing/render.tsx'
import { ApprovalDialog } from './approval-dialog.tsx'

const armed = () => part('approve').dataset.armed
const press = (more: PointerEventInit) =>
  part('approve').dispatchEvent(new PointerEvent('click', { bubbles: true, cancelable: true, detail: 1, ...more }))

afterEach(() => vi.restoreAllMocks())

test.each([
  ['a screen reader reports a press without a pointer', { detail: 0 }],
  ['a screen reader on a phone reports a point without a size', { pointerType: 'touch', width: 0, height: 0 }],
])('%s: it need not wait', async (_, how) => {
  const { client } = await show(<ApprovalDialog interaction={approval()} />)
  expect(armed()).toBe('false')
  press(how)
  expect(answers(client)).toHaveLength(1)
})

test('threat 9: after another tab was in front, it waits again', async () => {
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

test('threat 9: out of view it is not armed, and once it is in view it waits', async () => {
  const { container } = await show(<ApprovalDialog interaction={approval()} />)
  container.style.paddingTop = '3000px'
  await expect.poll(armed).toBe('false')
  part('approve').scrollIntoView()
  await expect.poll(armed).toBe('true')
})
