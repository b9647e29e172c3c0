import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { InputForm } from '../input-form/input-form.tsx'
import { allFields, approval, diff, form } from '../testing/interactions.ts'
import { answers, part, show } from '../testing/render.tsx'

/** Everything that an application may replace, and its place. */
const everything = form({ request: { inputSchema: { type: 'form', fields: allFields } } })

test('controls of the app receive all props that the built-in ones receive', async () => {
  const { client } = await show(
    <InputForm
      interaction={everything}
      slots={{
        Button: ({ variant, ...props }) => <button data-own={variant} {...props} />,
        Input: (props) => <input data-own="input" {...props} />,
        Select: (props) => <select data-own="select" {...props} />,
        Icon: ({ name }) => <i data-own="icon">{name}</i>,
      }}
    />,
  )
  const named = (name: string) => document.querySelector<HTMLInputElement>(`[data-own][name="${name}"]`)!
  expect([named('email').type, named('email').autocomplete, named('email').dataset.slot]).toEqual([
    'email',
    'email',
    'input',
  ])
  await userEvent.fill(named('name'), 'Ada')
  await userEvent.fill(named('email'), 'ada@example.com')
  await userEvent.selectOptions(named('format'), 'html')
  await userEvent.click(document.querySelector('[data-slot="radio"]')!)
  await userEvent.click(document.querySelector('[data-own="primary"]')!)
  expect(answers(client)).toMatchObject([['q1', { action: 'submit', input: { name: 'Ada', format: 'html' } }]])
  expect(document.querySelector('[data-own="icon"]')?.textContent).toBe('input')
})

test('a diff viewer of the app decides as the built-in one does', async () => {
  const { client } = await show(
    <ApprovalDialog
      interaction={approval({ request: { args: undefined, diff } })}
      slots={{
        DiffViewer: ({ file, decisions, onDecide }) => (
          <button type="button" data-own={file.path} onClick={() => onDecide?.(file.hunks[0]!.id, 'reject')}>
            {decisions[file.hunks[0]!.id] ?? 'undecided'}
          </button>
        ),
      }}
    />,
  )
  const readme = document.querySelector<HTMLElement>('[data-own="README.md"]')!
  await userEvent.click(readme)
  expect(readme.textContent).toBe('reject')
  part('approve').focus()
  await userEvent.keyboard('{Enter}')
  expect(answers(client)).toEqual([
    ['q1', { action: 'approve', diffDecisions: { h1: 'accept', h2: 'accept', h3: 'reject' } }],
  ])
})

test('a part has the classes of the provider and of the card', async () => {
  await show(<ApprovalDialog interaction={approval()} classNames={{ approve: 'mine' }} />, {
    provider: { classNames: { approve: 'ours', deny: 'theirs' } },
  })
  expect([...part('approve').classList]).toEqual(['hp-button', 'hp-approve', 'mine'])
  expect(part('deny').classList).toContain('theirs')
})

test('the larger view is rendered in the container that the app names', async () => {
  const place = document.body.appendChild(document.createElement('div'))
  await show(<ApprovalDialog interaction={approval()} portalContainer={place} />)
  await userEvent.click(part('pop-out'))
  await expect.poll(() => place.contains(document.activeElement)).toBe(true)
  place.remove()
})
