import { expect } from 'vitest'
import type { Journey } from '../support/journey.ts'
import { type Tab, visit } from '../support/visitor.ts'

export const refusedEdit: Journey = {
  title: 'a refused edit stays in the editor with its error; what is shown is what runs, edited or not',
  async run(world) {
    const { deployment } = world
    const server = await deployment.start()
    const ada = await visit(world, server.url)
    const tab = await ada.open()
    const pay = (run: string) => deployment.ask(server, { chat: 'chat-1', tool: 'pay', input: { amount: 100 }, run })

    // Refused, changed again, accepted.
    const first = pay('run-1')
    await edit(tab, '5')
    await approve(tab)
    await tab.card('pay').getByText('At least 10.').first().waitFor()
    expect(await editor(tab).inputValue()).toBe('5')
    expect(await tab.hasFocus()).toBe(true)
    expect((await tab.announced()).join('\n')).toContain('At least 10.')
    await ada.expectHealthy()
    await editor(tab).fill('50')
    await approve(tab)
    expect(await first).toMatchObject({ result: { result: { amount: 50 } } })
    const record = tab.card('pay').locator('[data-slot="settled"]')
    await record.locator('summary').first().click()
    await record.getByText('50').first().waitFor()
    await ada.expectHealthy()

    // Refused, taken back, then a plain yes.
    const second = pay('run-2')
    await edit(tab, '5')
    await approve(tab)
    await tab.card('pay').getByText('At least 10.').first().waitFor()
    await ada.expectHealthy()
    await tab.press(tab.card('pay').locator('[data-slot="reset"]'))
    await ada.expectHealthy()
    const shown = await editor(tab).inputValue()
    await approve(tab)
    const { amount: paid } = ((await second) as { result: { result: { amount: number } } }).result.result
    expect(shown).toBe(String(paid))
    expect(deployment.ran()).toEqual([
      { tool: 'pay', amount: 50 },
      { tool: 'pay', amount: 100 },
    ])
    await ada.expectHealthy()
    await ada.close()
  },
}

const editor = (tab: Tab) => tab.card('pay').locator('[data-slot="argument-fields"] input')

async function edit(tab: Tab, value: string): Promise<void> {
  await tab.press(tab.card('pay').locator('[data-slot="edit"]'))
  await editor(tab).fill(value)
}

const approve = (tab: Tab) => tab.press(tab.card('pay').locator('[data-slot="approve"]'))
