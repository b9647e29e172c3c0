import { expect } from 'vitest'
import type { Journey } from '../support/journey.ts'
import { visit } from '../support/visitor.ts'

export const halfDiff: Journey = {
  title: 'half of a change is accepted: that half runs, once, and the next change asks again',
  async run(world) {
    const { deployment } = world
    const server = await deployment.start()
    const ada = await visit(world, server.url)
    const tab = await ada.open()
    const card = tab.card('patch')
    const change = (run: string) =>
      deployment.ask(server, { chat: 'chat-1', tool: 'patch', input: { path: 'a.ts' }, run })
    const first = change('run-1')
    await card.locator('[data-slot="diff-hunk"]').first().waitFor()
    const choices = card.locator('[data-slot="diff-choice"]')
    await choices.nth(0).getByText('Reject', { exact: true }).click()
    await choices.nth(1).getByText('Accept', { exact: true }).click()
    await ada.expectHealthy()
    // A rejected hunk must not count as accepted later.
    await card.locator('[data-slot="once-only"]').waitFor()
    await tab.press(card.locator('[data-slot="approve"]'))
    expect(await first).toMatchObject({ result: { status: 'completed' } })
    expect(deployment.ran()).toMatchObject([{ tool: 'patch' }])
    expect(Object.values(deployment.ran()[0]?.diffDecisions ?? {}).sort()).toEqual(['accept', 'reject'])
    await ada.expectHealthy()
    // The tab may receive the outcome after the tool has run. The buttons of the first question are gone then.
    await card.locator('[data-slot="deny"]').waitFor({ state: 'detached' })
    const second = change('run-2')
    await tab.press(card.locator('[data-slot="deny"]'))
    expect(await second).toMatchObject({ outcome: 'denied' })
    expect(deployment.ran()).toHaveLength(1)
    await ada.expectHealthy()
    await ada.close()
  },
}
