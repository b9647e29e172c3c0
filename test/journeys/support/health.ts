import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Approval, Deployment } from './servers.ts'

/** An open page, and what its person approved there. */
export interface Watched {
  readonly page: Page
  /** True once the person has pressed something since the page was loaded. */
  pressed: boolean
}

/** All pages of one browser share these, over HTTP/1.1. */
const CONNECTIONS = 2
const SOON = { timeout: 6_000 }

/** Fails when a developer or a person would notice something wrong with the pages. */
export async function expectHealthy(
  problems: readonly string[],
  pages: readonly Watched[],
  deployment: Deployment,
): Promise<void> {
  expect(problems, 'console and network').toEqual([])
  for (const { page, pressed } of pages) {
    if (pressed) await expect.poll(() => hasFocus(page), { ...SOON, message: 'the focus is on something' }).toBe(true)
    await expect.poll(() => unannounced(page), { ...SOON, message: 'cards that no announcement names' }).toEqual([])
  }
  await expectSame(deployment)
  await expect
    .poll(() => deployment.connections(), { ...SOON, message: 'connections' })
    .toBeLessThanOrEqual(CONNECTIONS * deployment.visitors.size)
}

/** Checks that the log approved what ran, and that what the log approved was on screen when its button was pressed. */
async function expectSame(deployment: Deployment): Promise<void> {
  const recorded = await deployment.approved()
  const tools = new Set(recorded.map(({ tool }) => tool))
  const ran = deployment
    .ran()
    .filter(({ tool }) => ASKING.has(tool as string))
    .map(({ tool, diffDecisions: _, ...args }) => ({ tool: tool as string, args }))
  expect(leftOver(ran, recorded), 'what ran without a recorded approval').toEqual([])
  expect(leftOver(recorded, deployment.shown), `what the log of ${[...tools].join()} has and no card showed`).toEqual(
    [],
  )
}

/** The tools that ask for an approval of their arguments. */
const ASKING = new Set(['delete_files', 'pay', 'patch', 'work'])

function leftOver(some: readonly Approval[], all: readonly Approval[]): Approval[] {
  const rest = all.map((one) => JSON.stringify(one))
  return some.filter((one) => {
    const at = rest.indexOf(JSON.stringify(one))
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}

export const hasFocus = (page: Page) => page.evaluate(() => document.activeElement !== document.body)

/** The questions of cards that wait, and the reasons of those for accounts, that no announcement since the load has. */
function unannounced(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const announced = (window as unknown as { announced: string[] }).announced.join('\n')
    const texts = '[data-slot="prompt"], [data-kind="connect"] [data-slot="about"]'
    return [...document.querySelectorAll('[data-slot="card"][data-state="pending"]')]
      .flatMap((card) =>
        [...card.querySelectorAll(texts)].filter((part) => part.closest('[data-slot="card"]') === card),
      )
      .map((part) => part.textContent?.trim() ?? '')
      .filter((text) => text && !announced.includes(text))
  })
}
