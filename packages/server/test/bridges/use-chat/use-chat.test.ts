import { describe, expect, test } from 'vitest'
import { api, approve, inChromium, modes, read, rest, say, slot } from './browser.ts'

/** Real useChat in a real browser, the real SDK behind a real HTTP server in a process of its own. */
const chromium = inChromium()

/** The requests of one answered question: one if the stream stays open, otherwise one more. */
const requests = { inline: ['first'], suspend: ['first', 'resumed'] }

describe.each(modes)('%s', (mode) => {
  async function asked(text: string, query = '') {
    const app = await chromium.app()
    const page = await chromium.tab(app, `${api(mode)}&${query}`)
    await say(page, text)
    await slot(page, 'card').first().waitFor()
    return { app, page }
  }

  test('an approval has one card, at its tool call, runs the tool once and continues the chat once', async () => {
    const { app, page } = await asked('delete')
    expect(await page.locator('[data-part="tool-deleteFiles"] [data-slot="card"]').count()).toBe(1)
    expect(await slot(page, 'card').count()).toBe(1)
    await approve(page)
    await read(page, 'deleted')
    await rest(page)
    expect(app.notes()).toMatchObject({ effects: ['deleted a.txt'], requests: requests[mode] })
  })

  test('a denial runs nothing, and the model reads the reason', async () => {
    const { app, page } = await asked('delete')
    await page.getByText('Add a reason').click()
    await slot(page, 'reason-input').fill('I need it')
    await slot(page, 'deny').click()
    await read(page, 'I need it')
    await rest(page)
    expect(app.notes()).toMatchObject({ effects: [], requests: requests[mode] })
  })

  test('edited arguments are the arguments that run', async () => {
    const { app, page } = await asked('delete')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Files 1' }).fill('b.txt')
    await approve(page)
    await read(page, 'deleted')
    expect(app.notes()).toMatchObject({ effects: ['deleted b.txt'], requests: requests[mode] })
  })

  test('an edit that the policy rejects is asked again in the same card', async () => {
    const { app, page } = await asked('delete')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Files 1' }).fill('/')
    await approve(page)
    await page.getByText('Never the root.').first().waitFor()
    expect(await slot(page, 'card').count()).toBe(1)
    const editor = page.getByRole('textbox', { name: 'Files 1' })
    if ((await editor.count()) === 0) await page.getByRole('button', { name: 'Edit' }).click()
    await editor.fill('c.txt')
    await approve(page)
    await read(page, 'deleted')
    await rest(page)
    expect(app.notes()).toMatchObject({ effects: ['deleted c.txt'], requests: requests[mode] })
  })

  test('a form of `before` is shown and submitted at its tool call', async () => {
    const { app, page } = await asked('mail')
    await page.getByRole('textbox', { name: 'To' }).fill('ada@example.com')
    await slot(page, 'submit').click()
    await read(page, 'sent to ada@example.com')
    await rest(page)
    expect(app.notes()).toMatchObject({ effects: ['mailed hi to ada@example.com'], requests: requests[mode] })
  })

  test('an account is connected in another window, and the tool receives its token', async () => {
    const { app, page } = await asked('post')
    await slot(page, 'connect').click()
    await read(page, 'posted')
    await rest(page)
    expect(app.notes()).toMatchObject({ effects: ['posted hi with token-of-ada'], requests: requests[mode] })
  })

  test('a chat continues by itself after the time-out of a question, and the model reads the reason', async () => {
    const { app, page } = await asked('hurry')
    await read(page, 'The user did not answer in time')
    await rest(page)
    expect(app.notes()).toMatchObject({ effects: [], requests: requests[mode] })
  })

  test('two calls in one step have a card each, and one request continues with both answers', async () => {
    const { app, page } = await asked('both')
    await slot(page, 'card').nth(1).waitFor()
    await approve(page)
    await expect.poll(() => slot(page, 'approve').count(), { timeout: 40_000 }).toBe(1)
    await slot(page, 'deny').click()
    await read(page, 'deleted')
    await rest(page)
    expect(app.notes()).toMatchObject({ effects: ['deleted a.txt'], requests: requests[mode] })
  })

  test('a new message declines the open question, and the model reads that it was declined', async () => {
    const { app, page } = await asked('delete')
    await say(page, 'never mind')
    await read(page, 'You said never mind.')
    await rest(page)
    expect(await page.locator('[data-slot="approve"]').count()).toBe(0)
    expect(app.notes().prompts.find((prompt) => prompt.includes('never mind'))).toContain('continued without answering')
    expect(app.notes()).toMatchObject({ effects: [], requests: ['first', 'first'] })
  })

  test('the same tool call id in the next turn is another call, and has a card of its own', async () => {
    const { app, page } = await asked('delete')
    await approve(page)
    await read(page, 'deleted')
    await rest(page)
    await say(page, 'delete')
    await slot(page, 'approve').waitFor()
    expect(await page.locator('[data-part="tool-deleteFiles"]').count()).toBe(2)
    expect(await page.locator('[data-part="tool-deleteFiles"] [data-slot="settled"]').count()).toBe(1)
    await approve(page)
    await rest(page)
    expect(app.notes().effects).toEqual(['deleted a.txt', 'deleted a.txt'])
  })
})
