import { expect } from 'vitest'
import { balance } from '../support/balancer.ts'
import type { Journey } from '../support/journey.ts'
import type { AppServer } from '../support/servers.ts'
import { visit } from '../support/visitor.ts'

const NODES = 3

export const rollingDeploy: Journey = {
  title: 'three nodes are replaced one by one with a question open; the answer arrives, and the tool runs once',
  on: 'Postgres',
  async run(world) {
    const { deployment } = world
    const nodes: AppServer[] = []
    for (let n = 0; n < NODES; n++) nodes.push(await deployment.start())
    const balancer = await balance(nodes.map(({ url }) => url))
    try {
      const ada = await visit(world, balancer.url)
      const tab = await ada.open()
      const card = tab.card('delete_files')
      deployment.ask(nodes[0]!, { chat: 'chat-1', tool: 'delete_files', input: { files: ['a.txt'] } })
      await card.locator('[data-slot="approve"]').waitFor()
      await ada.expectHealthy()
      for (const old of [...nodes]) {
        // A stream that is cut is a red line of the browser; the page reconnects by itself.
        await ada.expectFailures(async () => {
          const next = await deployment.start()
          nodes.push(next)
          nodes.splice(nodes.indexOf(old), 1)
          balancer.use(nodes.map(({ url }) => url))
          await old.stop()
          await tab.seesServer()
          expect(await card.locator('[data-slot="approve"]').count()).toBe(1)
        })
        await ada.expectHealthy()
      }
      const answered = performance.now()
      await tab.press(card.locator('[data-slot="approve"]'))
      await card.locator('[data-slot="settled"]').waitFor()
      await expect
        .poll(() => deployment.ran(), { timeout: 15_000 })
        .toEqual([{ tool: 'delete_files', files: ['a.txt'] }])
      expect(performance.now() - answered).toBeLessThan(5_000)
      await ada.expectHealthy()
      await ada.close()
    } finally {
      await balancer.close()
    }
  },
}
