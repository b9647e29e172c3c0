import { expect } from 'vitest'
import { goOffline } from '../../support/go-offline.ts'
import type { Journey } from '../support/journey.ts'
import { visit } from '../support/visitor.ts'

export const offline: Journey = {
  title: 'an answer given offline stays on the card, and is sent when the connection is back',
  async run(world) {
    const { deployment } = world
    const server = await deployment.start()
    const ada = await visit(world, server.url)
    const tab = await ada.open()
    const card = tab.card('delete_files')
    const asked = deployment.ask(server, { chat: 'chat-1', tool: 'delete_files', input: { files: ['a.txt'] } })
    await card.locator('[data-slot="approve"]').waitFor()
    await ada.expectHealthy()
    await ada.expectFailures(async () => {
      await goOffline(tab.page)
      await tab.press(card.locator('[data-slot="approve"]'))
      await card
        .getByText(/not (been )?sent|could not be sent|offline/i)
        .first()
        .waitFor()
      expect(deployment.ran()).toEqual([])
      await ada.context.setOffline(false)
      expect(await asked).toMatchObject({ result: { status: 'completed' } })
    })
    await card.locator('[data-slot="settled"]').waitFor()
    expect(deployment.ran()).toHaveLength(1)
    expect(await tab.hasFocus()).toBe(true)
    await ada.expectHealthy()
    await ada.close()
  },
}
