import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../../../scripts/chromium.ts'
import { bundle, document, open, stylesheet } from './page.ts'
import { reactCompiler, type Verdict } from './react-compiler.ts'

/** An application that runs React Compiler over itself and over our sources: every story, and a client to answer with. */
const app = `
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApprovalDialog } from './approval-dialog/approval-dialog.tsx'
import { InputForm } from './input-form/input-form.tsx'
import { everyStory } from './testing/checks/every-story.ts'
import { fakeClient } from './testing/fake-client.ts'
import { allFields, approval, form } from './testing/interactions.ts'
import { StoryFrame } from './testing/story-frame.tsx'
const client = fakeClient()
const clock = { now: () => Date.parse('2026-03-02T14:00:00Z'), setTimeout: () => 0, clearTimeout() {} }
const fields = allFields.filter(({ id }) => ['name', 'email', 'copies'].includes(id)).map((field) => ({ ...field, required: false }))
const Stories = () => (
  <StoryFrame client={client} clock={clock}>
    {everyStory().map(([name, element]) => <div key={name} data-story={name}>{element}</div>)}
  </StoryFrame>
)
const Task = () => (
  <StoryFrame client={client}>
    <ApprovalDialog interaction={approval({ interactionId: 'a', request: { editable: true, approvalScopes: ['once', 'session'] } })} />
    <InputForm interaction={form({ interactionId: 'f', request: { inputSchema: { type: 'form', fields } } })} />
  </StoryFrame>
)
const root = createRoot(document.getElementById('root'))
Object.assign(window, {
  show: (what) => root.render(<StrictMode>{what === 'stories' ? <Stories /> : <Task />}</StrictMode>),
  answers: () => client.calls.filter((call) => call.method === 'respond').map((call) => call.args),
})
`

/** Rules of React that are broken. `Todo`: what the compiler does not know yet; it leaves such functions alone. */
const broken = (verdicts: readonly Verdict[]) =>
  verdicts.filter(
    ({ kind, file, detail }) =>
      kind !== 'CompileSuccess' &&
      !detail.includes('"category":"Todo"') &&
      // A draft starts once for each question, whatever the card's function for it is by then.
      !(file.endsWith('use-draft.ts') && detail.includes('PreserveManualMemo')) &&
      // The compiler leaves users of the virtual list alone by itself.
      !(file.endsWith('inbox/list.tsx') && detail.includes('IncompatibleLibrary')),
  )

const PATIENT = { timeout: 15_000, interval: 200 }

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

describe.each([18, 19] as const)('React Compiler with React %i', (react) => {
  const verdicts: Verdict[] = []
  let compiled: string
  beforeAll(async () => {
    compiled = await bundle(app, { react, plugins: [reactCompiler(react, verdicts)] })
  }, 120_000)

  test('breaks no rule, and compiles nearly every component', () => {
    expect(broken(verdicts)).toEqual([])
    expect(verdicts.filter(({ kind }) => kind === 'CompileSuccess').length).toBeGreaterThan(60)
    expect(compiled).toMatch(/compiler-runtime/)
  })

  test('renders every story as without the compiler, and without warnings', async () => {
    const plain = await drawn(await bundle(app, { react }))
    expect(Object.keys(plain.stories).length).toBeGreaterThan(60)
    const seen = await drawn(compiled)
    expect(seen).toEqual(plain)
    expect(seen.complaints).toEqual([])
  }, 120_000)

  test('behaves as without the compiler: editing, the larger view, and one answer each', async () => {
    const { page, complaints, close } = await open(browser, document({ script: compiled, style: stylesheet() }))
    try {
      await page.evaluate("show('task')")
      await approve(page)
      await fillIn(page)
      expect(await page.evaluate('answers()')).toEqual([
        [
          'a',
          {
            action: 'approve',
            approvalScope: 'once',
            args: { files: ['drafts/notes.md'] },
            reason: 'Seen',
            shownDigest: expect.stringMatching(/^[\w-]{43}$/),
          },
        ],
        [
          'f',
          {
            action: 'submit',
            input: { name: 'Ada L', email: 'ada@example.com', copies: 2 },
            shownDigest: expect.stringMatching(/^[\w-]{43}$/),
          },
        ],
      ])
      expect(complaints).toEqual([])
    } finally {
      await close()
    }
  }, 120_000)
})

async function approve(page: Page): Promise<void> {
  const card = page.locator('[data-interaction-id="a"]')
  await card.getByLabel('How long your approval counts').selectOption('session')
  await card.getByRole('button', { name: 'Edit' }).click()
  await card.getByRole('button', { name: 'Edit as JSON' }).click()
  await card.locator('textarea[data-slot="argument-editor"]').fill('{ "files": ["drafts/notes.md"] }')
  await card.getByText('Add a reason').click()
  await card.locator('[data-slot="reason-input"]').fill('Seen')
  await card.locator('[data-slot="approve"][data-armed="true"]').dblclick()
}

async function fillIn(page: Page): Promise<void> {
  const card = page.locator('[data-interaction-id="f"]')
  await card.getByLabel('Name').pressSequentially('Ada')
  await card.locator('[data-slot="pop-out"]').click()
  const view = page.locator('[data-slot="pop-out-view"]')
  await view.getByLabel('Name').press('End')
  await view.getByLabel('Name').pressSequentially(' L')
  await page.keyboard.press('Escape')
  await view.waitFor({ state: 'detached' })
  await card.getByLabel('E-mail').fill('ada@example.com')
  await card.getByLabel('Copies').fill('2')
  await card.getByLabel('Copies').press('Enter')
}

/** The height of a list of the inbox. Rows that were not in view yet are estimated, and which rows were in view depends on the time. */
const LIST_HEIGHT = /(class="hp-inbox-lines" style=")block-size: [\d.]+px;/g

async function drawn(script: string): Promise<{ stories: Record<string, string>; complaints: string[] }> {
  const { page, complaints, close } = await open(browser, document({ script, style: stylesheet() }))
  try {
    await page.evaluate("show('stories')")
    await page.locator('[data-story]').last().waitFor()
    const read = async () => {
      const found = await page
        .locator('[data-story]')
        .evaluateAll((all) => all.map((one) => [one.getAttribute('data-story') ?? '', one.innerHTML] as const))
      return Object.fromEntries(found.map(([name, html]) => [name, html.replace(LIST_HEIGHT, '$1')]))
    }
    let stories: Record<string, string> = {}
    // Previews and other parts that are loaded on demand come in later renders.
    await page.locator('[data-slot="preview"]').first().waitFor()
    await page.locator('[data-slot="diff-hunk"]').first().waitFor({ state: 'attached' })
    const isStable = async () => {
      const before = JSON.stringify(stories)
      stories = await read()
      return JSON.stringify(stories) === before
    }
    await expect.poll(isStable, PATIENT).toBe(true)
    return { stories, complaints }
  } finally {
    await close()
  }
}
