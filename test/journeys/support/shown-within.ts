import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The required time: a question is on screen half a second after it was asked. */
const SHOWN_WITHIN_MS = 500
/** A request and two frames of a page, on a machine with nothing else to do. */
const QUIET_MS = 60

/** Asks, waits until the question is on screen, and checks how long that took. Returns what was asked. */
export async function expectShownSoon<T>(page: Page, ask: () => T, onScreen: () => Promise<unknown>): Promise<T> {
  const limit = SHOWN_WITHIN_MS * (await slowness(page))
  const waiting = onScreen()
  const started = performance.now()
  const asked = ask()
  await waiting
  const shownMs = performance.now() - started
  console.log(`on screen within ${Math.round(shownMs)} ms (limit now ${Math.round(limit)} ms)`)
  expect(shownMs).toBeLessThan(limit)
  return asked
}

/** How much slower a page answers than on a quiet machine; 1 at least. */
async function slowness(page: Page): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 3; n++) {
    const started = performance.now()
    await page.evaluate(async () => {
      await fetch('/')
      await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)))
    })
    times.push(performance.now() - started)
  }
  return Math.max(1, (times.sort((a, b) => a - b)[1] ?? 0) / QUIET_MS)
}
