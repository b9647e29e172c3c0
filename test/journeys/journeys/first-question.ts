import { expect } from 'vitest'
import type { World } from '../support/journey.ts'
import { expectShownSoon } from '../support/shown-within.ts'
import { visit } from '../support/visitor.ts'

const IDLE_MS = 120_000

/** Opens a page that nothing happens on while other journeys run. The returned function asks, once it was idle for two minutes. */
export async function idleForTwoMinutes(world: World): Promise<() => Promise<void>> {
  const { deployment } = world
  const server = await deployment.start()
  const idle = await openAt('chat-1')
  const since = performance.now()
  return async () => {
    for (const [number, idleMs] of [0, 200, 1_000, 6_000].entries()) {
      const opened = await openAt(`chat-${number + 2}`)
      await opened.tab.page.waitForTimeout(idleMs)
      await ask(opened, idleMs)
    }
    await idle.tab.page.waitForTimeout(Math.max(0, IDLE_MS - (performance.now() - since)))
    await idle.visitor.expectHealthy()
    await ask(idle, performance.now() - since)
  }

  /** A browser of their own, so that no page is in the background. */
  async function openAt(chat: string) {
    const visitor = await visit(world, server.url)
    return { chat, visitor, tab: await visitor.open(`/?chat=${chat}`) }
  }

  async function ask({ chat, visitor, tab }: Awaited<ReturnType<typeof openAt>>, idleMs: number) {
    console.log(`the first question after ${(idleMs / 1_000).toFixed(1)} s`)
    const asked = await expectShownSoon(
      tab.page,
      () => ({ outcome: deployment.ask(server, { chat, tool: 'delete_files', input: { files: ['a.txt'] } }) }),
      () => tab.card('delete_files').locator('[data-slot="approve"]').waitFor(),
    )
    await visitor.expectHealthy()
    await tab.press(tab.card('delete_files').locator('[data-slot="deny"]'))
    expect(await asked.outcome).toMatchObject({ outcome: 'denied' })
    expect(deployment.ran()).toEqual([])
    await visitor.expectHealthy()
    await visitor.close()
  }
}
