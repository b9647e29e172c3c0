import { describe, expect, test } from 'vitest'
import { api, approve, done, inChromium, modes, read, rest, say, slot } from './browser.ts'

/** Faults in a chat: reloads, second tabs, dead servers, repeated clicks. */
const chromium = inChromium()

async function asked(query: string) {
  const app = await chromium.app()
  const page = await chromium.tab(app, query)
  await say(page, 'delete')
  await page.locator('[data-slot="card"], button').first().waitFor()
  return { app, page }
}

describe('a reload while a question is open', () => {
  test.each(modes)('in %s mode shows the question exactly once, and the question can be answered', async (mode) => {
    const { app, page } = await asked(api(mode))
    if (mode === 'suspend') await rest(page)
    await page.reload()
    await slot(page, 'approve').waitFor()
    expect(await slot(page, 'card').count()).toBe(1)
    await approve(page)
    await done(app, page, ['deleted a.txt'])
    if (mode === 'suspend') await read(page, 'deleted')
    else {
      // The stream was left with the page: what it said is in the saved chat.
      await expect.poll(() => app.notes().prompts.length, { timeout: 40_000 }).toBe(2)
    }
    expect(app.notes().requests).toEqual(mode === 'suspend' ? ['first', 'resumed'] : ['first'])
  })

  test('a page that opens after an answer and the immediate close of the tab continues the chat by itself', async () => {
    const { app, page } = await asked(api('suspend'))
    const context = page.context()
    await context.route('**/api/chat*', (route) => route.abort())
    await approve(page)
    await slot(page, 'approve').waitFor({ state: 'detached' })
    await context.unroute('**/api/chat*')
    const next = await chromium.tab(app, api('suspend'), page)
    await page.close()
    await read(next, 'deleted')
    await rest(next)
    expect(app.notes().effects).toEqual(['deleted a.txt'])
  })
})

describe('two tabs', () => {
  test('continue both in suspend mode, and the tool runs once', async () => {
    const { app, page } = await asked(api('suspend'))
    await rest(page)
    const other = await chromium.tab(app, api('suspend'), page)
    await approve(other)
    await Promise.all([read(page, 'deleted'), read(other, 'deleted')])
    await Promise.all([rest(page), rest(other)])
    expect(app.notes()).toMatchObject({ effects: ['deleted a.txt'], requests: ['first', 'resumed', 'resumed'] })
  })

  test('show an inline question below the messages of the other tab, whose answer continues the stream of the first', async () => {
    const { app, page } = await asked(api('inline'))
    const other = await chromium.tab(app, api('inline'), page)
    await other.locator('[data-unplaced] [data-slot="card"]').waitFor()
    await approve(other)
    await read(page, 'deleted')
    await other.locator('[data-unplaced] [data-slot="card"]').waitFor({ state: 'detached' })
    expect(app.notes()).toMatchObject({ effects: ['deleted a.txt'], requests: ['first'] })
  })

  test('with onContinuedElsewhere send one request: the other tab loads the messages', async () => {
    const { app, page } = await asked(`${api('suspend')}&elsewhere`)
    await rest(page)
    const other = await chromium.tab(app, `${api('suspend')}&elsewhere`, page)
    await approve(other)
    await Promise.all([read(page, 'deleted'), read(other, 'deleted')])
    expect(await page.evaluate('window.elsewhere')).toBe(true)
    expect(app.notes()).toMatchObject({ effects: ['deleted a.txt'], requests: ['first', 'resumed'] })
    expect(app.notes().prompts).toHaveLength(2)
  })
})

describe('a server that is killed with kill -9', () => {
  test('while the question is open in suspend mode accepts the answer after its restart and continues', async () => {
    const { app, page } = await asked(api('suspend'))
    await rest(page)
    await app.kill()
    await app.start()
    await approve(page)
    await read(page, 'deleted')
    await rest(page)
    expect(app.notes()).toMatchObject({ effects: ['deleted a.txt'], requests: ['first', 'resumed'] })
  })

  test('while an inline question is open runs the tool after its restart, and the next message includes the result', async () => {
    const { app, page } = await asked(api('inline'))
    await page.locator('[data-part="tool-deleteFiles"] [data-slot="card"]').waitFor()
    await app.kill()
    await app.start()
    await approve(page)
    await done(app, page, ['deleted a.txt'])
    // A broken stream continues only when the person sends a message.
    await rest(page, 'error')
    expect(app.notes().requests).toEqual(['first'])
    await say(page, 'hi')
    await read(page, 'You said hi')
    expect(app.notes()).toMatchObject({ effects: ['deleted a.txt'], requests: ['first', 'first'] })
    expect(app.notes().prompts.at(-1)).toContain('{"deleted":1}')
  })

  test('before the page received an inline call shows the card below the messages, and the card can be answered', async () => {
    const app = await chromium.app()
    const page = await chromium.tab(app, api('inline'))
    let breakOff = () => {}
    const broken = new Promise<void>((resolve) => {
      breakOff = resolve
    })
    await page.route('**/api/chat*', async (route) => {
      const sent = fetch(route.request().url(), { method: 'POST', body: route.request().postData() })
      await broken
      await route.abort()
      await sent.then((answer) => answer.text()).catch(() => {})
    })
    await say(page, 'delete')
    await page.locator('[data-unplaced] [data-slot="card"]').waitFor()
    await app.kill()
    breakOff()
    await page.locator('main[data-status="error"]').waitFor()
    await app.start()
    await approve(page)
    await done(app, page, ['deleted a.txt'])
    await page.unroute('**/api/chat*')
    await say(page, 'hi')
    await read(page, 'You said hi')
    expect(app.notes()).toMatchObject({ effects: ['deleted a.txt'], requests: ['first', 'first'] })
    // The page has nothing to send of a call that it never received.
    expect(app.notes().prompts.at(-1)).not.toContain('call-1')
  })

  test('while an inline tool runs completes the tool after its restart', async () => {
    const { app, page } = await asked(api('inline'))
    app.set('slow', true)
    await approve(page)
    await expect.poll(() => app.begun(), { timeout: 40_000 }).toBe(1)
    await app.kill()
    app.set('slow', false)
    await app.start()
    await done(app, page, ['deleted a.txt'])
    await rest(page, 'error')
    expect(app.notes()).toMatchObject({ effects: ['deleted a.txt'], requests: ['first'] })
  })

  test('while a suspended tool runs receives the request again after its restart, and the tool completes', async () => {
    const { app, page } = await asked(api('suspend'))
    await rest(page)
    app.set('slow', true)
    await approve(page)
    await expect.poll(() => app.begun(), { timeout: 40_000 }).toBe(1)
    await app.kill()
    app.set('slow', false)
    await app.start()
    await read(page, 'deleted')
    await rest(page)
    expect(app.notes()).toMatchObject({ effects: ['deleted a.txt'], requests: ['first', 'resumed', 'resumed'] })
  })
})

test('an approval in three tabs runs the tool once with Holdpoint, and once for each tab with the plain SDK', async () => {
  const runs = async (query: string) => {
    const { app, page } = await asked(query)
    await page.getByRole('button', { name: 'Own yes' }).waitFor()
    await rest(page)
    const tabs = [page, await chromium.tab(app, query, page), await chromium.tab(app, query, page)]
    for (const one of tabs) await one.getByRole('button', { name: 'Own yes' }).waitFor()
    // Pressed where it stands: what one tab says may take the button away in the next.
    const press =
      "[...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Own yes')?.click()"
    await Promise.all(tabs.map((one) => one.evaluate(press)))
    await Promise.all(tabs.map((one) => read(one, 'deleted')))
    return app.notes().effects
  }
  expect(await runs('api=/api/plain')).toEqual(['deleted a.txt', 'deleted a.txt', 'deleted a.txt'])
  expect(await runs(`${api('suspend')}&buttons`)).toEqual(['deleted a.txt'])
})

test('a request that is sent again by hand returns the recorded output', async () => {
  const { app, page } = await asked(api('suspend'))
  await rest(page)
  const sent = page.waitForRequest(
    (request) =>
      request.method() === 'POST' &&
      request.url().includes('/api/chat') &&
      !!request.postData()?.includes('approval-responded'),
  )
  await approve(page)
  const body = (await sent).postData() ?? ''
  await read(page, 'deleted')
  for (let i = 0; i < 3; i++) {
    const again = await fetch(`${app.url}/api/chat`, { method: 'POST', body })
    expect(await again.text()).toContain('"output":{"deleted":1}')
  }
  expect(app.notes().effects).toEqual(['deleted a.txt'])
})

describe('buttons of the app', () => {
  test('approve through the returned addToolApprovalResponse, which records the answer before it continues', async () => {
    const { app, page } = await asked(`${api('suspend')}&buttons`)
    await page.getByRole('button', { name: 'Own yes' }).click()
    await read(page, 'deleted')
    expect(app.notes().effects).toEqual(['deleted a.txt'])
  })

  test("deny through the SDK's own function, and the denial reaches the store and ends the card in another tab", async () => {
    const { app, page } = await asked(`${api('suspend')}&buttons=raw`)
    await rest(page)
    const other = await chromium.tab(app, 'api=/api/none')
    await slot(other, 'approve').waitFor()
    await page.getByRole('button', { name: 'Own no' }).click()
    await read(page, 'own reason')
    await slot(other, 'approve').waitFor({ state: 'detached' })
    await rest(page)
    expect(app.notes()).toMatchObject({ effects: [], requests: ['first', 'resumed'] })
  })

  test("that approve through the SDK's own function alone run nothing, because the store has no answer", async () => {
    const { app, page } = await asked(`${api('suspend')}&buttons=raw`)
    await page.getByRole('button', { name: 'Own yes' }).click()
    await read(page, 'has not answered yet')
    await rest(page)
    expect(app.notes()).toMatchObject({ effects: [], requests: ['first', 'resumed'] })
  })
})

describe('automatic requests of useChat', () => {
  test('are not repeated if the server returns an empty response', async () => {
    const { app, page } = await asked(api('suspend'))
    await rest(page)
    app.set('empty', true)
    await approve(page)
    await expect.poll(() => app.notes().requests.length, { timeout: 40_000 }).toBe(2)
    await rest(page)
    await page.waitForTimeout(1_000)
    expect(app.notes().requests).toEqual(['first', 'resumed'])
  })

  test("are not doubled by the SDK's own sendAutomaticallyWhen", async () => {
    const { app, page } = await asked(`${api('suspend')}&auto`)
    await approve(page)
    await read(page, 'deleted')
    await rest(page)
    expect(app.notes()).toMatchObject({ effects: ['deleted a.txt'], requests: ['first', 'resumed'] })
  })
})
