import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Clock } from '../base/clock.ts'
import { answersOnly, inboxItems } from '../testing/inbox-items.ts'
import { listen, part, show } from '../testing/render.tsx'
import { Inbox } from './inbox.tsx'

const UNDO_MS = 61_000

/** A clock that fires the timers of held answers at the test's command. All others run as always. */
function heldClock() {
  const held = new Map<object, () => void>()
  const clock: Clock = {
    now: () => Date.now(),
    setTimeout(callback, ms) {
      if (ms !== UNDO_MS) return setTimeout(callback, ms)
      const handle = {}
      held.set(handle, callback)
      return handle
    },
    clearTimeout(handle) {
      if (!held.delete(handle as object)) clearTimeout(handle as ReturnType<typeof setTimeout>)
    },
  }
  const pass = () => {
    for (const [handle, callback] of [...held]) {
      held.delete(handle)
      callback()
    }
  }
  return { clock, pass, waiting: () => held.size }
}

const items = inboxItems(3)
const rows = () => [...document.querySelectorAll<HTMLElement>('[role="option"]')]

async function inbox() {
  const { clock, pass, waiting } = heldClock()
  const { sent, transport } = answersOnly()
  const shown = await show(<Inbox items={items} transport={transport} undoMs={UNDO_MS} />, { provider: { clock } })
  return { ...shown, sent, pass, waiting }
}

beforeEach(() => page.viewport(1280, 900))

test('an answer in the inbox is sent after the undo time, and not before', async () => {
  const { sent, pass } = await inbox()
  const heard = listen()
  await userEvent.click(part('deny'))
  await expect.poll(() => part('inbox-held').textContent).toContain('Not sent yet:')
  expect(rows()[0]?.textContent).toContain('Not sent yet:')
  expect(sent).toEqual([])
  await expect.poll(() => heard.join(' ')).toContain('You can still undo it.')
  pass()
  await expect.poll(() => sent.length).toBe(1)
  expect(sent[0]?.message).toMatchObject({ action: 'deny' })
  await expect.poll(() => document.querySelector('[data-slot="inbox-held"]')).toBeNull()
})

test('the seconds until the answer is sent are seen, not announced, and stop while "Undo" has the focus', async () => {
  await inbox()
  await userEvent.click(part('deny'))
  const countdown = await found('inbox-countdown')
  const seconds = () => Number.parseInt(countdown.textContent ?? '', 10)
  const first = seconds()
  expect(first).toBeLessThanOrEqual(UNDO_MS / 1_000)
  expect(countdown.getAttribute('aria-hidden')).toBe('true')
  await expect.poll(seconds, { timeout: 4_000 }).toBeLessThan(first)
  part('inbox-undo').focus()
  await expect.poll(() => document.querySelector('[data-slot="inbox-countdown"]')).toBeNull()
  part('inbox-send').focus()
  await expect.poll(() => part('inbox-countdown').textContent).toBeTruthy()
})

test('an answer that is undone is never sent, and the question can be answered otherwise', async () => {
  const { sent, pass } = await inbox()
  await userEvent.click(part('deny'))
  await userEvent.click(await found('inbox-undo'))
  pass()
  await userEvent.click(await found('instead-toggle'))
  await userEvent.fill(part('instead-input'), 'Ask Grace first')
  await userEvent.click(part('deny-instead'))
  await userEvent.click(await found('inbox-send'))
  await expect.poll(() => sent.length).toBe(1)
  expect(sent[0]?.message).toMatchObject({ action: 'deny', reason: 'Ask Grace first' })
})

test('the undo time is paused while the focus is on the undo button', async () => {
  const { sent, pass, waiting } = await inbox()
  await userEvent.click(part('deny'))
  ;(await found('inbox-undo')).focus()
  expect(waiting()).toBe(0)
  pass()
  expect(sent).toEqual([])
  ;(await found('inbox-send')).focus()
  expect(waiting()).toBe(1)
})

test('several answers can wait for their undo time, and hiding or leaving the page sends them all', async () => {
  const { sent, unmount } = await inbox()
  await userEvent.click(part('deny'))
  await userEvent.click(await found('inbox-next'))
  await userEvent.click(await found('deny'))
  await expect.poll(() => rows().filter((row) => row.textContent?.includes('Not sent yet:')).length).toBe(2)
  expect(sent).toEqual([])
  window.dispatchEvent(new Event('pagehide'))
  await expect.poll(() => sent.length).toBe(2)
  await unmount()
  expect(sent.length).toBe(2)
})

async function found(slot: string): Promise<HTMLElement> {
  await expect.poll(() => document.querySelector(`[data-slot="${slot}"]`)).not.toBeNull()
  return part(slot)
}
