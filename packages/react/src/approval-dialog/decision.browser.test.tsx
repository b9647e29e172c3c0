import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { approval, diff } from '../testing/interactions.ts'
import { answers, part, show } from '../testing/render.tsx'
import { ApprovalDialog } from './approval-dialog.tsx'

test.each([560, 300, 200])(
  'the deny button is as large as the approve button with labels of any length: %i pixels',
  async (width) => {
    const labels = { approve: 'Delete every file that has not been opened since last year', deny: 'Keep' }
    await show(
      <div style={{ width }}>
        <ApprovalDialog interaction={approval({ request: { labels } })} />
      </div>,
    )
    const size = (slot: string) => [part(slot).offsetWidth, width > 200 && part(slot).offsetHeight]
    expect(size('deny')).toEqual(size('approve'))
  },
)

test('long arguments can be expanded completely before the approval', async () => {
  const args = { files: Array.from({ length: 60 }, (_, n) => `drafts/file-${n + 1}.md`) }
  await show(<ApprovalDialog interaction={approval({ request: { args } })} />)
  expect(part('readable').textContent).not.toContain('file-60.md')
  expect(part('expand').textContent).toBe('Show 52 more')
  await userEvent.click(part('expand'))
  expect([...part('readable').querySelectorAll('li')].map((item) => item.textContent)).toEqual(args.files)
  expect(part('expand').getAttribute('aria-expanded')).toBe('true')
  await userEvent.click(part('exact'))
  await userEvent.click(part('expand'))
  expect(JSON.parse(part('code').textContent!)).toEqual(args)
})

test('the scopes are those that the server offers, including unknown ones, and once is selected', async () => {
  const approvalScopes = ['once', 'until_friday'] as never
  const { client } = await show(<ApprovalDialog interaction={approval({ request: { approvalScopes } })} />)
  const list = part('scopes').querySelector('select')!
  expect([...list.options].map(({ value, selected }) => [value, selected])).toEqual([
    ['once', true],
    ['until_friday', false],
  ])
  await userEvent.selectOptions(list, 'until_friday')
  expect(part('approve').textContent).toBe('Delete 3 filesuntil_friday')
  part('approve').focus()
  await userEvent.keyboard('{Enter}')
  expect(answers(client)).toEqual([['q1', { action: 'approve', approvalScope: 'until_friday' }]])
})

test('a diff marks added and removed lines as text and in words, and cannot be approved if every hunk is rejected', async () => {
  const { client } = await show(<ApprovalDialog interaction={approval({ request: { args: undefined, diff } })} />)
  const added = document.querySelector('[data-sign="+"]')!
  expect(added.textContent).toBe('11+addedreturn net * (1 + rate)')
  for (const hunk of document.querySelectorAll('[data-slot="diff-hunk"]')) {
    await userEvent.click(hunk.querySelectorAll('input')[1]!)
  }
  part('approve').focus()
  await userEvent.keyboard('{Enter}')
  expect(answers(client)).toEqual([])
  expect(part('hint').textContent).toContain('You rejected every change')
})
