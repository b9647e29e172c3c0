import { expect } from 'vitest'
import type { Journey } from '../support/journey.ts'
import { visit } from '../support/visitor.ts'

export const reloads: Journey = {
  title: 'the page is reloaded before, during and after a question, and shows the same each time',
  async run(world) {
    const { deployment } = world
    const server = await deployment.start()
    const ada = await visit(world, server.url)
    const tab = await ada.open('/?chat=chat-2')
    await tab.page.reload()
    await ada.expectHealthy()
    const asked = deployment.ask(server, { chat: 'chat-2', tool: 'delete_files', input: { files: ['a.txt', 'b.txt'] } })
    const card = tab.card('delete_files')
    await card.getByText('Delete 2 files?', { exact: true }).first().waitFor()
    await tab.page.reload()
    await card.getByText('Delete 2 files?', { exact: true }).first().waitFor()
    await ada.expectHealthy()
    await tab.press(card.locator('[data-slot="approve"]'))
    expect(await asked).toMatchObject({ result: { status: 'completed' } })
    await card.locator('[data-slot="settled"]').waitFor()
    await ada.expectHealthy()
    const said = await card.locator('[data-slot="settled"]').textContent()
    await tab.page.reload()
    await expect.poll(() => card.locator('[data-slot="settled"]').textContent()).toBe(said)
    expect(await card.locator('[data-slot="approve"]').count()).toBe(0)
    expect(deployment.ran()).toHaveLength(1)
    await ada.expectHealthy()
    await ada.close()
  },
}
