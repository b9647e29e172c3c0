import { expect } from 'vitest'
import type { Journey } from '../support/journey.ts'
import { visit } from '../support/visitor.ts'

export const secondTab: Journey = {
  title: 'a question that is open in two tabs is answered in one, and is settled in both',
  async run(world) {
    const { deployment } = world
    const server = await deployment.start()
    const ada = await visit(world, server.url)
    const [first, second] = [await ada.open('/?chat=chat-3'), await ada.open('/?chat=chat-3')]
    const asked = deployment.ask(server, { chat: 'chat-3', tool: 'delete_files', input: { files: ['a.txt'] } })
    for (const tab of [first, second]) await tab.card('delete_files').locator('[data-slot="approve"]').waitFor()
    await ada.expectHealthy()
    await first.page.bringToFront()
    await first.press(first.card('delete_files').locator('[data-slot="approve"]'))
    await asked
    for (const tab of [first, second]) await tab.card('delete_files').locator('[data-slot="settled"]').waitFor()
    expect(deployment.ran()).toHaveLength(1)
    await ada.expectHealthy()
    await ada.close()
  },
}
