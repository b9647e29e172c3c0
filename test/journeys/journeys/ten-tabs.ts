import { expect } from 'vitest'
import type { Journey } from '../support/journey.ts'
import { expectShownSoon } from '../support/shown-within.ts'
import { visit } from '../support/visitor.ts'

const CHATS = Array.from({ length: 10 }, (_, n) => `chat-${n + 1}`)

export const tenTabs: Journey = {
  title:
    'ten tabs with ten chats hold at most two connections, each shows its own question and takes the answer, and the rest continue when the first is closed',
  async run(world) {
    const { deployment } = world
    const server = await deployment.start()
    const ada = await visit(world, server.url)
    const ask = (chat: string) =>
      deployment.ask(server, { chat, tool: 'delete_files', input: { files: [`${chat}.txt`] } })
    const open = async (chat: string) => ({ chat, tab: await ada.open(`/?chat=${chat}`) })
    const tabs: Awaited<ReturnType<typeof open>>[] = []
    for (const chat of CHATS) tabs.push(await open(chat))
    // The health check counts the connections of the browser.
    await ada.expectHealthy()

    const asked = new Map(CHATS.map((chat) => [chat, ask(chat)]))
    for (const { chat, tab } of tabs) {
      const card = tab.card('delete_files')
      await tab.page.bringToFront()
      await tab.press(card.locator('[data-slot="approve"]'))
      expect(await asked.get(chat)).toMatchObject({ result: { status: 'completed' } })
      await card.locator('[data-slot="settled"]').waitFor()
    }
    expect(deployment.ran()).toEqual(CHATS.map((chat) => ({ tool: 'delete_files', files: [`${chat}.txt`] })))
    await ada.expectHealthy()

    // The first tab leads: it reads for all.
    await tabs.shift()?.tab.page.close()
    const [last] = tabs.slice(-1)
    const { page, card, press } = last!.tab
    await expect.poll(() => deployment.connections(), { timeout: 10_000 }).toBeGreaterThan(0)
    await page.bringToFront()
    const again = await expectShownSoon(
      page,
      () => ({ outcome: deployment.ask(server, { chat: last!.chat, tool: 'pay', input: { amount: 20 } }) }),
      () => card('pay').locator('[data-slot="approve"]').waitFor(),
    )
    await tabs[0]!.tab.page.reload()
    await ada.expectHealthy()
    await press(card('pay').locator('[data-slot="deny"]'))
    expect(await again.outcome).toMatchObject({ outcome: 'denied' })
    await ada.expectHealthy()
    await ada.close()
  },
}
