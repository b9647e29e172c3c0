import axe from 'axe-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { loadParts } from '../base/on-demand.ts'
import { InputForm } from '../input-form/input-form.tsx'
import { arabic } from '../locales/ar.ts'
import { everyStory } from '../testing/checks/every-story.ts'
import { approval, form } from '../testing/interactions.ts'
import { part, wait } from '../testing/render.tsx'
import { StoryFrame } from '../testing/story-frame.tsx'
import './styles.css'
import '../testing/fonts.css'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Results that axe marks as incomplete because it cannot decide them, with the reason why a person accepted each. */
const JUDGED: Record<string, string> = {
  'color-contrast bgGradient':
    'The arrow of a select is drawn with gradients beside its text, whose contrast contrast.browser.test.tsx measures.',
  'color-contrast nonBmp':
    'The minus of a diff, a separate sign: it has the color of its line, and is hidden from screen readers, which read a word.',
}
/** Which of them came up. One that no longer does is no longer in the list. */
const judged = new Set<string>()

/** Decided by what was in doubt too: another doubt about the same rule is not judged yet. */
function isJudged(id: string, { any, all, none }: axe.NodeResult): boolean {
  const doubts = [...any, ...all, ...none].map(({ data }) => `${id} ${(data as { messageKey?: string })?.messageKey}`)
  for (const doubt of doubts) if (doubt in JUDGED) judged.add(doubt)
  return doubts.every((doubt) => doubt in JUDGED)
}

async function violations(): Promise<string[]> {
  const { violations: found, incomplete } = await axe.run(document.body, {
    runOnly: RULES,
    rules: { 'target-size': { enabled: true } },
  })
  const doubtful = incomplete.map((rule) => ({ ...rule, nodes: rule.nodes.filter((node) => !isJudged(rule.id, node)) }))
  return [...found, ...doubtful].flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  )
}

const themes = {
  light: () => {
    document.documentElement.style.cssText = 'color-scheme: light; background: #fff'
  },
  dark: () => {
    document.documentElement.style.cssText = 'color-scheme: dark; background: #121315'
  },
  'right to left': () => {
    document.documentElement.style.cssText = 'color-scheme: light; background: #fff'
    document.documentElement.dir = 'rtl'
    document.documentElement.lang = 'ar'
  },
}

// Parts that are loaded on demand are judged in the first theme too.
beforeAll(() => loadParts())
afterEach(() => {
  document.documentElement.style.cssText = ''
  document.documentElement.removeAttribute('dir')
  document.documentElement.lang = 'en'
})

test.each(Object.entries(themes))(
  'the states have no accessibility violation: %s',
  async (name, apply) => {
    apply()
    // Tall enough for every form: what stays in view at the bottom then covers nothing.
    await page.viewport(480, 2400)
    document.documentElement.lang ||= 'en'
    const arabicPage = name === 'right to left' ? { messages: arabic, locale: 'ar' } : {}
    const found: Record<string, string[]> = {}
    judged.clear()
    for (const [story, element] of everyStory()) {
      await render(<StoryFrame {...arabicPage}>{element}</StoryFrame>)
      // Buttons fade for 120 ms after they are armed; half-way there is no color to judge.
      if (document.querySelector('[data-slot="approve"][data-armed="false"]')) await wait(0)
      const list = await violations()
      if (list.length) found[story] = list
      await cleanup()
    }
    expect(found).toEqual({})
    expect([...judged].sort()).toEqual(Object.keys(JUDGED).sort())
  },
  240_000,
)

test.each([
  [
    'approval',
    <ApprovalDialog
      key="a"
      interaction={approval({ request: { risk: 'high', approvalScopes: ['once', 'session'] } })}
    />,
  ],
  ['form', <InputForm key="f" interaction={form()} />],
])('the larger view of the %s has no accessibility violation', async (_, card) => {
  themes.light()
  await render(<StoryFrame>{card}</StoryFrame>)
  await userEvent.click(part('pop-out'))
  await expect.poll(() => document.querySelector('[data-slot="pop-out-view"]')).not.toBeNull()
  expect(await violations()).toEqual([])
})
