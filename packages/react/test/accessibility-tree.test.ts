import { join } from 'node:path'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../../../scripts/chromium.ts'
import { bundle, document, type OpenPage, open, stylesheet } from './page.ts'

/**
 * The tree of each card that assistive technology receives, in a readable form. After an intended change, run with `-u`
 * and read the trees.
 */
const app = `
import { createRoot } from 'react-dom/client'
import { everyStory } from './testing/checks/every-story.ts'
import { NOW } from './testing/interactions.ts'
import { StoryFrame, storyClock } from './testing/story-frame.tsx'
const root = createRoot(document.getElementById('root'))
window.show = (story) => {
  // Each story begins at the same time.
  const start = performance.now()
  const clock = { ...storyClock, now: () => NOW + performance.now() - start }
  root.render(<StoryFrame key={story} clock={clock}>{everyStory().find(([name]) => name === story)[1]}</StoryFrame>)
}
`
const stories = [
  ...['Default', 'ReadableArguments', 'Facts', 'Dangerous', 'TypeToConfirm', 'HostileArguments', 'WithoutPrompt'],
  ...['EditableFields', 'Diff', 'Answered', 'PartlyApproved', 'ApprovedForTheChat', 'AnsweredElsewhere', 'Denied'],
].map((story) => `ApprovalDialog ${story}`)
const others = [
  ...['Email', 'Shell', 'Sql', 'Http', 'Payment', 'CalendarEvent', 'Files', 'WithOtherArguments'].map(
    (story) => `Previews ${story}`,
  ),
  'InputForm Default',
  'InputForm EveryFieldType',
  'AuthRequestCard Default',
  'AuthRequestCard TwoOfThree',
  'Inbox Default',
]

let browser: Browser
let opened: OpenPage
beforeAll(async () => {
  browser = await launchChromium()
  opened = await open(browser, document({ script: await bundle(app), style: stylesheet() }), {
    context: { locale: 'en-US', timezoneId: 'UTC' },
  })
}, 60_000)
afterAll(async () => {
  await opened?.close()
  await browser?.close()
})

test.each([...stories, ...others])('%s has this accessibility tree', async (story) => {
  await opened.page.evaluate(`show(${JSON.stringify(story)})`)
  const card = opened.page.locator(story.startsWith('Inbox') ? '[data-slot="inbox"]' : '[data-slot="card"]')
  await card.waitFor()
  if (story.startsWith('Previews')) await card.locator('[data-slot="preview"]').waitFor()
  const name = story.replace(' ', '-')
  await expect(`${await settledTree(card)}\n`).toMatchFileSnapshot(join(import.meta.dirname, `__trees__/${name}.txt`))
})

/** Returns the tree once it no longer changes: the inbox measures its rows after they are drawn, and then leaves some out. */
async function settledTree(card: Locator): Promise<string> {
  for (let before = ''; ; ) {
    // Two frames, so that an observer of sizes has run in between.
    await opened.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await opened.page.waitForTimeout(50)
    const tree = await card.ariaSnapshot()
    if (tree === before) return tree
    before = tree
  }
}
