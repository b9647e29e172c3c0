import { describe, expect, test } from 'vitest'
import { loadedFiles, visitsOf } from './split-page.ts'

/** An app that shows questions with `InteractionView` alone, so that no card is in its first bundle. */
const app = `
import { createRoot } from 'react-dom/client'
import { HoldpointProvider, InteractionView } from './index.ts'
import { fakeClient } from './testing/fake-client.ts'
import { answered, approval, connect, form } from './testing/interactions.ts'
const root = createRoot(document.getElementById('root'))
const questions = { approval: approval(), form: form(), connect: connect(), answered: answered(approval(), { action: 'approve' }) }
window.ask = (name) => {
  window.client = fakeClient({ interactions: name ? [questions[name]] : [] })
  root.render(
    <HoldpointProvider client={client}>
      <textarea />
      {name && <InteractionView interaction={questions[name]} />}
    </HoldpointProvider>,
  )
}
window.ask(location.hash.slice(1))
`

const visit = visitsOf(app)

const loading = '[data-slot="card"][data-state="loading"]'
const sent = 'client.calls.filter(({ method }) => method === "respond").map(({ args }) => args[1].action)'

describe('the card of a question', () => {
  test.each([
    ['approval', '[data-slot="approve"]'],
    ['form', '[data-slot="submit"]'],
    ['connect', '[data-slot="connect"]'],
    ['answered', '[data-slot="outcome"]'],
  ])('is not in the first bundle, and is loaded for its question: %s', async (kind, control) => {
    const { page, complaints } = await visit({ blocked: false }, '', true)
    await page.context().setOffline(false)
    expect(await page.evaluate(loadedFiles)).not.toContain('/cards-')
    await page.evaluate(`ask("${kind}")`)
    await page.locator(control).first().waitFor()
    expect(await page.evaluate(loadedFiles)).toContain('/cards-')
    expect(complaints).toEqual([])
  })

  test('is loaded before the first question, so that the question is shown and answered without a request', async () => {
    const net = { blocked: false }
    const { page, complaints } = await visit(net)
    let before = ''
    // The cards come first, and rarer parts follow while the page is idle.
    const isComplete = async () => {
      const last = before
      before = await page.evaluate<string>(loadedFiles)
      return before === last && before.includes('/cards-')
    }
    await expect.poll(isComplete, { timeout: 15_000, interval: 1_000 }).toBe(true)
    net.blocked = true
    await page.evaluate('ask("approval")')
    await page.locator('[data-slot="approve"]').press('Enter')
    expect(await page.evaluate(sent)).toEqual(['approve'])
    expect(await page.evaluate(loadedFiles)).toBe(before)
    expect(complaints).toEqual([])
  })

  test('appears in its place once the network is back, and leaves the focus where it is', async () => {
    const { page, complaints } = await visit({ blocked: false }, '', true)
    await page.locator('textarea').focus()
    await page.evaluate('ask("approval")')
    const card = page.locator(loading)
    expect(await card.getAttribute('aria-busy')).toBe('true')
    expect(await card.getAttribute('aria-label')).toBe('Loading the question…')
    await page.context().setOffline(false)
    await page.locator('[data-slot="approve"]').waitFor()
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    expect(complaints).toEqual([])
  })

  test('is replaced by a notice with a retry button if it cannot be loaded', async () => {
    const { page } = await visit({ blocked: true }, 'approval')
    await page.locator(`${loading} [data-slot="retry"]`).press('Enter')
    expect(await page.locator(loading).textContent()).toContain('This part was not loaded.')
    expect(await page.locator(loading).getAttribute('aria-busy')).toBe('false')
  })

  test('has a place of about its height while it is loaded: that of a card, or of a line for an ended question', async () => {
    const { page } = await visit({ blocked: false }, '', true)
    const height = async (name: string) => {
      await page.evaluate(`ask("${name}")`)
      return (await page.locator('[data-slot="card"]').boundingBox())!.height
    }
    const [open, ended] = [await height('approval'), await height('answered')]
    await page.context().setOffline(false)
    await page.locator('[data-slot="outcome"]').waitFor()
    const endedCard = await height('answered')
    await page.evaluate('ask("approval")')
    await page.locator('[data-slot="approve"]').waitFor()
    const openCard = await height('approval')
    expect(Math.abs(ended - endedCard)).toBeLessThan(24)
    expect(open).toBeGreaterThan(openCard * 0.6)
    expect(open).toBeLessThan(openCard * 1.2)
  })
})
