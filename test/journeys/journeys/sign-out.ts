import { expect } from 'vitest'
import type { Journey } from '../support/journey.ts'
import { visit } from '../support/visitor.ts'

export const signOut: Journey = {
  title: 'a person signs out with a question open, another user signs in and sees nothing of it, and it stays open',
  async run(world) {
    const { deployment } = world
    const server = await deployment.start()
    const person = await visit(world, server.url)
    const tab = await person.open()
    const asked = deployment.ask(server, { chat: 'chat-1', tool: 'delete_files', input: { files: ['a.txt'] } })
    const approve = tab.card('delete_files').locator('[data-slot="approve"]')
    await approve.waitFor()
    await person.expectHealthy()
    await tab.page.goto(`${server.url}/logout`)
    await tab.page.goto(`${server.url}/login?user=bob`)
    await tab.page
      .getByRole('heading', { name: 'chat-2' })
      .or(tab.page.getByRole('heading', { name: 'chat-1' }))
      .waitFor()
    await tab.page.waitForTimeout(1_000)
    expect(await approve.count()).toBe(0)
    await person.expectHealthy()
    await tab.page.goto(`${server.url}/login?user=ada`)
    await tab.press(approve)
    expect(await asked).toMatchObject({ result: { status: 'completed' } })
    await person.expectHealthy()
    await person.close()
  },
}
