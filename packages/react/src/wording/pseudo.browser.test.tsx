import { pagesInEnglish } from '@holdpoint/core/internal'
import { english } from '@holdpoint/core/messages'
import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { everyStory } from '../testing/checks/every-story.ts'
import { pseudo } from '../testing/checks/pseudo.ts'
import { integrations, StoryFrame, tools } from '../testing/story-frame.tsx'
import '../styles/styles.css'
import '../testing/fonts.css'

const ours = pseudo({ ...english, pages: pagesInEnglish })
/**
 * Hostile texts are shown as escapes, and long ones shortened with a button: other tests look at them. The label of what
 * a preview leaves over follows the locale, not the messages. An empty inbox has no card.
 */
const stories = everyStory().filter(([name]) => !/Hostile|LongText|WithOtherArguments|Inbox Empty/.test(name))

/** The elements with the values of a question, as the application or the agent wrote them. */
const VALUES = '.hp-rows, .hp-values, .hp-code, .hp-diff-file, .hp-readable, pre, code, bdi, data, option'

/** The words of an element that are in no translation and come from no question. */
function untranslated(root: Element, given: string): string[] {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.textContent?.trim() ?? ''
    const isOurs = /[áçéíñöšüýž[\]·]/.test(text) || node.parentElement?.closest(VALUES)
    if (/[A-Za-z]{3,}/.test(text) && !isOurs && !given.includes(text.toLowerCase())) found.push(text)
  }
  return found
}

/** Elements whose text is cut off: it is wider than they are, and they cannot be scrolled. */
function truncated(root: Element): string[] {
  return [...root.querySelectorAll<HTMLElement>('*')]
    .filter((one) => {
      const { overflowX, textOverflow } = getComputedStyle(one)
      const hides = overflowX === 'hidden' || overflowX === 'clip' || textOverflow === 'ellipsis'
      // One line of the question on a settled card, which opens, and in the inbox, beside the whole question.
      return hides && !one.closest('.hp-hidden, .hp-gist, .hp-inbox-text, svg') && one.scrollWidth > one.clientWidth + 1
    })
    .map((one) => `${one.className}: ${one.textContent?.slice(0, 60)}`)
}

async function shown(story: ReactElement): Promise<Element> {
  await page.viewport(320, 800)
  const { container } = await render(
    <StoryFrame messages={ours} locale="en">
      {story}
    </StoryFrame>,
  )
  return container
}

test.each(stories)('%s: every text is translated and none is cut off at 320 pixels', async (_name, story) => {
  const given = JSON.stringify([story.props, integrations, tools]).toLowerCase().replaceAll('\\n', '\n')
  const root = await shown(story)
  const cards = root.querySelector('[data-slot="card"]')
  expect(cards).not.toBeNull()
  expect(untranslated(root, given)).toEqual([])
  expect(truncated(root)).toEqual([])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
})

test('a text that is not translated, and one that is cut off, are found', async () => {
  const root = await shown(
    <div>
      <p>Forgotten words</p>
      <p style={{ inlineSize: 40, overflow: 'hidden', whiteSpace: 'nowrap' }}>[Much longer than forty pixels]</p>
    </div>,
  )
  expect(untranslated(root, '')).toEqual(['Forgotten words'])
  expect(truncated(root)).toHaveLength(1)
})
