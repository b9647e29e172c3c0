import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle, document, launch, open, stylesheet } from './page.ts'

/**
 * The tree of each card that assistive technology receives, in a readable form. After an intended change, run with `-u`
 * and read the trees.
 */
const app = `
import { createRoot } from 'react-dom/client'
import { everyStory } from './testing/checks/every-story.ts'
import { StoryFrame } from './testing/story-frame.tsx'
window.show = (story) => createRoot(document.getElementById('root')).render(
  <StoryFrame>{everyStory().find(([name]) => name === story)[1]}</StoryFrame>
)
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
let script: string
beforeAll(async () => {
  browser = await launch()
  script = await bundle(app)
}, 60_000)
afterAll(() => browser.close())

test.each([...stories, ...others])('%s has this accessibility tree', async (story) => {
  const opened = await open(browser, document({ script, style: stylesheet() }), {
    context: { locale: 'en-US', timezoneId: 'UTC' },
  })
  try {
    await opened.page.evaluate(`show(${JSON.stringify(story)})`)
    const card = opened.page.locator(story.startsWith('Inbox') ? '[data-slot="inbox"]' : '[data-slot="card"]')
    await card.waitFor()
    if (story.startsWith('Previews')) await card.locator('[data-slot="preview"]').waitFor()
    const name = story.replace(' ', '-')
    await expect(`${await card.ariaSnapshot()}\n`).toMatchFileSnapshot(
      join(import.meta.dirname, `__trees__/${name}.txt`),
    )
  } finally {
    await opened.close()
  }
})
