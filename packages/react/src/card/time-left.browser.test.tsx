import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { handClock } from '../testing/checks/hand-clock.ts'
import { fakeClient } from '../testing/fake-client.ts'
import { approval, NOW } from '../testing/interactions.ts'
import { answers, listen, liveText, part, show } from '../testing/render.tsx'

const timed = approval({ expiresAt: NOW + 300_000, request: { extendable: true } })
const text = () => part('time-left').querySelector('.hp-time')?.textContent

test('the remaining time is text, is announced at two thresholds, and approves nothing when it ends', async () => {
  const clock = handClock(NOW)
  const client = fakeClient({ interactions: [timed] })
  await show(<ApprovalDialog interaction={timed} />, { client, provider: { clock } })
  await expect.poll(text).toBe('Answer within 5 minutes')
  clock.pass(1_000)
  const heard = listen()
  const told = () => heard.filter((each) => each.startsWith('Answer within') || each === 'Time is up')
  /** Second by second, each drawn before the next. */
  const seconds = async (count: number) => {
    for (let second = 0; second < count; second++) {
      clock.pass(1_000)
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
  }
  await seconds(178)
  expect(told()).toEqual([])
  await seconds(2)
  await expect.poll(told).toEqual(['Answer within 2 minutes'])
  await seconds(88)
  await expect.poll(text).toBe('Answer within 40 seconds')
  expect(told()).toHaveLength(1)
  await seconds(2)
  await expect.poll(told).toEqual(['Answer within 2 minutes', 'Answer within 30 seconds'])
  await seconds(21)
  await expect.poll(text).toBe('Answer within 9 seconds')
  expect(told()).toHaveLength(2)
  clock.pass(20_000)
  await expect.poll(text).toBe('Time is up')
  expect(answers(client)).toEqual([])
})

test('more time can be requested only if the server offers it', async () => {
  const clock = handClock(NOW)
  const client = fakeClient({ interactions: [timed] })
  const { again } = await show((given) => <ApprovalDialog interaction={given.getSnapshot().interactions.get('q1')} />, {
    client,
    provider: { clock },
  })
  await expect.poll(text).toBe('Answer within 5 minutes')
  await userEvent.click(part('extend'))
  expect(client.calls.filter(({ method }) => method === 'extend').map(({ args }) => args)).toEqual([['q1']])
  client.put({ ...timed, expiresAt: NOW + 900_000 })
  await again()
  await expect.poll(text).toBe('Answer within 15 minutes')
  client.put(approval({ expiresAt: NOW + 900_000 }))
  await again()
  await expect.poll(() => document.querySelector('[data-slot="extend"]')).toBeNull()
})

test('the countdown of a question that stays answerable states that the assistant continues, without urgency', async () => {
  const clock = handClock(NOW)
  const later = approval({ expiresAt: NOW + 7_000, request: { answerableLater: true } })
  await show(<ApprovalDialog interaction={later} />, { interactions: [later], provider: { clock } })
  await expect.poll(text).toBe('The assistant continues in 7 seconds. You can answer later.')
  expect(part('time-left').dataset.urgent).toBeUndefined()
  const heard = listen()
  clock.pass(8_000)
  await expect.poll(() => document.querySelector('[data-slot="time-left"]')).toBeNull()
  expect(heard.join()).not.toContain('Time is up')
  expect(document.querySelector('[data-slot="approve"]')).not.toBeNull()
})

test('a deadline in a day or later shows no countdown until it is closer', async () => {
  const clock = handClock(NOW)
  const day = 24 * 3_600_000
  const slow = approval({ expiresAt: NOW + day + 60_000, request: { extendable: true } })
  await show(<ApprovalDialog interaction={slow} />, { interactions: [slow], provider: { clock } })
  const later = () => {
    clock.pass(200)
    return liveText()
  }
  await expect.poll(later).toContain('is waiting')
  expect(liveText()).not.toContain('Answer within')
  expect(document.querySelector('[data-slot="time-left"]')).toBeNull()
  clock.pass(3_600_000)
  await expect.poll(text).toBe('Answer within 24 hours')
})
