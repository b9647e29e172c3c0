import { expect } from 'vitest'
import type { Journey } from '../support/journey.ts'
import { visit } from '../support/visitor.ts'

export const killedServer: Journey = {
  title: 'the server is killed with a question open and again behind its answer, and the tool runs once',
  async run({ browser, deployment }) {
    const first = await deployment.start()
    const port = Number(new URL(first.url).port)
    const ada = await visit(browser, first.url)
    const tab = await ada.open()
    const approve = tab.card('delete_files').locator('[data-slot="approve"]')
    deployment.ask(first, { chat: 'chat-1', tool: 'delete_files', input: { files: ['a.txt'] } })
    await approve.waitFor()
    const second = await ada.expectFailures(async () => {
      await first.kill()
      const started = await deployment.start(port)
      await tab.page.waitForFunction(() =>
        fetch('/').then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      return started
    })
    await ada.expectFailures(async () => {
      await tab.press(approve)
      await tab.card('delete_files').locator('[data-slot="settled"]').waitFor({ timeout: 20_000 })
      await second.kill()
      await deployment.start(port)
    })
    await expect.poll(() => deployment.ran(), { timeout: 30_000 }).toEqual([{ tool: 'delete_files', files: ['a.txt'] }])
    await expect.poll(() => deployment.continued().length, { timeout: 30_000 }).toBeGreaterThan(0)
    await ada.close()
  },
}
