import { expect } from 'vitest'
import type { Journey } from '../support/journey.ts'
import { visit } from '../support/visitor.ts'

const IDLE_MS = 31_000
const SHOWN_WITHIN_MS = 500

export const firstQuestion: Journey = {
  title: 'the first question of a chat appears within half a second, after half a minute without one',
  on: 'SQLite',
  async run({ browser, deployment }) {
    const server = await deployment.start()
    const ada = await visit(browser, server.url)
    const tab = await ada.open()
    await tab.page.waitForTimeout(IDLE_MS)
    await ada.expectHealthy()
    const card = tab.card('delete_files').locator('[data-slot="approve"]').waitFor()
    const started = performance.now()
    const asked = deployment.ask(server, { chat: 'chat-1', tool: 'delete_files', input: { files: ['a.txt'] } })
    await card
    expect(performance.now() - started).toBeLessThan(SHOWN_WITHIN_MS)
    await tab.press(tab.card('delete_files').locator('[data-slot="deny"]'))
    expect(await asked).toMatchObject({ outcome: 'denied' })
    expect(deployment.ran()).toEqual([])
    await ada.expectHealthy()
    await ada.close()
  },
}
