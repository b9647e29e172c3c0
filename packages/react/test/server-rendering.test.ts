import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../../../scripts/chromium.ts'
import { bundle, document, load, open, stylesheet } from './page.ts'

/** A page with every story, the same on both sides. */
const app = `
import { StrictMode } from 'react'
import { everyStory } from './testing/checks/every-story.ts'
import { fakeClient } from './testing/fake-client.ts'
import { StoryFrame } from './testing/story-frame.tsx'
import { approval } from './testing/interactions.ts'
import { ToolInteraction } from './interaction-view/tool-interaction.tsx'
export const client = fakeClient({ interactions: [approval({ interactionId: 'tool', toolCallId: 'tool' })] })
export const page = (
  <StrictMode>
    <StoryFrame client={client}>
      <ToolInteraction toolCallId="tool" />
      {everyStory().map(([name, element]) => <div key={name}>{element}</div>)}
    </StoryFrame>
  </StrictMode>
)
`

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

describe.each([18, 19] as const)('React %i', (react) => {
  test('a page rendered on a server hydrates without a warning, and StrictMode sends once [C12.2]', async () => {
    const server = load<{ html: string; streamed: Promise<string> }>(
      await bundle(
        `${app}
        import { renderToString, renderToPipeableStream } from 'react-dom/server'
        import { PassThrough } from 'node:stream'
        export const html = renderToString(page)
        export const streamed = new Promise((resolve, reject) => {
          const out = new PassThrough(); let text = ''
          out.on('data', (chunk) => { text += chunk }); out.on('end', () => resolve(text))
          const { pipe } = renderToPipeableStream(page, { onAllReady: () => pipe(out), onError: reject })
        })`,
        { react, platform: 'node' },
      ),
    )
    expect(server.html).toContain('Delete 3 files from the shared folder?')
    // A strict style-src refuses style attributes that come with the page.
    expect(server.html).not.toContain('style="')
    expect(await server.streamed).toContain('Delete 3 files from the shared folder?')

    const script = await bundle(
      `${app}
      import { hydrateRoot } from 'react-dom/client'
      import { version } from 'react'
      window.problems = []
      hydrateRoot(document.getElementById('root'), page, { onRecoverableError: (error) => window.problems.push(String(error)) })
      Object.assign(window, { client, version })`,
      { react },
    )
    const { page, complaints, close } = await open(
      browser,
      document({ body: await server.streamed, script, style: stylesheet() }),
      // Not the server's zone: a time of day that was rendered there would be another one here.
      { context: { timezoneId: 'Asia/Tokyo' } },
    )
    try {
      const card = page.locator('[data-interaction-id="tool"]')
      await card.locator('[data-slot="approve"][data-armed="true"]').waitFor()
      await card.locator('[data-slot="approve"]').dblclick()
      const seen = await page.evaluate(
        '({ version, problems, calls: client.calls.filter((call) => call.method === "respond") })',
      )
      expect(seen).toEqual({
        version: expect.stringMatching(`^${react}\\.`),
        problems: [],
        calls: [
          {
            method: 'respond',
            args: ['tool', { action: 'approve', shownDigest: expect.stringMatching(/^[\w-]{43}$/) }],
          },
        ],
      })
      expect(complaints).toEqual([])
    } finally {
      await close()
    }
  }, 60_000)

  test.each([
    ['its question changes', 'change()'],
    ['the application renders its provider again', 'again()'],
  ])(
    'a card keeps the HTML of the server if %s before its code is loaded',
    async (_, update) => {
      const late = `
      import { StrictMode, useEffect, useState } from 'react'
      import { allCards } from './interaction-view/interaction-view.tsx'
      import { ToolInteraction } from './interaction-view/tool-interaction.tsx'
      import { fakeClient } from './testing/fake-client.ts'
      import { approval } from './testing/interactions.ts'
      import { StoryFrame } from './testing/story-frame.tsx'
      const Ready = () => { useEffect(() => { window.ready = true }); return null }
      // New objects with each render, as applications often pass them.
      const Page = () => {
        const [, setRound] = useState(0)
        useEffect(() => { window.again = () => { setRound(1); setTimeout(() => client.put(question('Delete 4 files?')), 400) } }, [])
        return <StoryFrame client={client} tools={{ delete_files: { name: 'Delete files' } }} onSignIn={() => {}}><ToolInteraction toolCallId="tool" /><Ready /></StoryFrame>
      }
      const question = (prompt) => approval({ interactionId: 'tool', toolCallId: 'tool', request: { prompt } })
      const client = fakeClient({ interactions: [question('Delete 3 files?')] })
      const page = <StrictMode><Page /></StrictMode>`
      const server = load<{ html: Promise<string> }>(
        await bundle(
          `${late}\nimport { renderToString } from 'react-dom/server'\nexport const html = allCards.load().then(() => renderToString(page))`,
          {
            react,
            platform: 'node',
          },
        ),
      )
      const script = await bundle(
        `${late}
      import { hydrateRoot } from 'react-dom/client'
      const { load } = allCards
      let arrive
      const arrived = new Promise((resolve) => { arrive = resolve })
      allCards.load = () => arrived.then(load)
      const problems = []
      hydrateRoot(document.getElementById('root'), page, { onRecoverableError: (error) => problems.push(String(error)) })
      const change = () => client.put(question('Delete 4 files?'))
      Object.assign(window, { problems, arrive, change })`,
        { react },
      )
      const { page, complaints, close } = await open(
        browser,
        document({ body: await server.html, script, style: stylesheet() }),
      )
      try {
        await page.waitForFunction('window.ready')
        await page.evaluate(update)
        await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))')
        const card = page.locator('[data-interaction-id="tool"]')
        expect(await card.textContent()).toContain('Delete 3 files?')
        await page.evaluate('arrive()')
        await card.getByText('Delete 4 files?').first().waitFor()
        expect(await page.evaluate('problems')).toEqual([])
        expect(complaints).toEqual([])
      } finally {
        await close()
      }
    },
    60_000,
  )
})
