import { expect } from 'vitest'
import type { Journey } from '../support/journey.ts'
import { visit } from '../support/visitor.ts'

export const manyChats: Journey = {
  title: 'ten chats are opened in turn, and the tenth shows its question and takes the answer',
  async run(world) {
    const { deployment } = world
    const server = await deployment.start()
    const ada = await visit(world, server.url)
    const tab = await ada.open()
    for (let n = 1; n <= 10; n++) {
      await tab.switchTo(`chat-${n}`)
      // The page's own requests need a free connection.
      expect(await tab.page.evaluate(() => fetch('/').then(({ ok }) => ok))).toBe(true)
      await ada.expectHealthy()
    }
    const asked = deployment.ask(server, { chat: 'chat-10', tool: 'delete_files', input: { files: ['a.txt'] } })
    await tab.press(tab.card('delete_files').locator('[data-slot="approve"]'))
    expect(await asked).toMatchObject({ result: { status: 'completed', result: { deleted: 1 } } })
    expect(deployment.ran()).toEqual([{ tool: 'delete_files', files: ['a.txt'] }])
    await tab.card('delete_files').locator('[data-slot="settled"]').waitFor()
    expect(await tab.hasFocus()).toBe(true)
    expect((await tab.announced()).join('\n')).toContain('Delete 1 files?')
    await ada.expectHealthy()
    await ada.close()
  },
}
