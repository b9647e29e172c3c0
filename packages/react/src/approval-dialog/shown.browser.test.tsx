import type { InteractionRequestEvent } from '@holdpoint/core/internal'
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { fakeClient } from '../testing/fake-client.ts'
import { approval, diff } from '../testing/interactions.ts'
import { answers, part, show } from '../testing/render.tsx'
import { ApprovalDialog } from './approval-dialog.tsx'

const all = (slot: string) => [...document.querySelectorAll<HTMLElement>(`[data-slot="${slot}"]`)]
const option = (scope: string) => document.querySelector<HTMLOptionElement>(`[data-slot="scopes"] [value="${scope}"]`)!
const press = async () => {
  part('approve').focus()
  await userEvent.keyboard('{Enter}')
}
const withScopes = { approvalScopes: ['once', 'session', 'always'] as ('once' | 'session' | 'always')[] }

describe('an edit that the tool rejected', () => {
  const refused: Partial<InteractionRequestEvent> = {
    ...{ interactionId: 'q2', attempt: 2, replaces: 'q1', editable: true, ...withScopes },
    ...{ args: { amount: 5_000 }, draftArgs: { amount: 50 }, error: 'This change is not allowed.' },
    fieldErrors: { amount: ['Not below 1000.'] },
  }
  const argsSchema = { type: 'form' as const, fields: [{ id: 'amount', type: 'integer' as const, label: 'Amount' }] }
  const interaction = (more: Partial<InteractionRequestEvent> = {}) =>
    approval({ interactionId: 'q2', replaces: 'q1', request: { ...refused, ...more } })

  test('opens in its field, marked as edited, with its error beside it', async () => {
    await show(<ApprovalDialog interaction={interaction()} />)
    const field = document.querySelector<HTMLInputElement>('[data-slot="argument-fields"] input')!
    expect(field.value).toBe('50')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    const described = document.getElementById(field.getAttribute('aria-describedby')!)
    expect(described?.textContent).toBe('Not below 1000.')
    expect(part('arguments').textContent).toContain('Edited by you')
    expect(part('approve').textContent).toContain('with changes')
  })

  test('is shown as JSON with its error', async () => {
    await show(<ApprovalDialog interaction={interaction()} />)
    await userEvent.click(part('edit-as'))
    const editor = part('argument-editor') as HTMLTextAreaElement
    expect(JSON.parse(editor.value)).toEqual({ amount: 50 })
    expect(editor.getAttribute('aria-invalid')).toBe('true')
    const described = document.getElementById(editor.getAttribute('aria-describedby')!)
    expect(described?.textContent).toBe('amount: Not below 1000.')
    expect(part('arguments').textContent).toContain('Edited by you')
    expect(part('approve').textContent).toContain('with changes')
  })

  test('is shown in the fields of the schema, each with its error', async () => {
    await show(<ApprovalDialog interaction={interaction({ argsSchema })} />)
    const field = document.querySelector<HTMLInputElement>('[data-slot="argument-fields"] input')!
    expect(field.value).toBe('50')
    expect(part('argument-fields').textContent).toContain('Not below 1000.')
  })

  test('is approved once, and a press sends the arguments that are shown', async () => {
    const { client } = await show(<ApprovalDialog interaction={interaction()} />)
    expect([option('session').disabled, option('always').disabled]).toEqual([true, true])
    await press()
    expect(answers(client)).toEqual([['q2', { action: 'approve', approvalScope: 'once', args: { amount: 50 } }]])
  })

  test.each([
    ['by derived field', {}],
    ['by field', { argsSchema }],
  ])(
    'can be reset %s: the original arguments are shown without errors, and a plain approval is sent',
    async (_how, more) => {
      const { client } = await show(<ApprovalDialog interaction={interaction(more)} />)
      await userEvent.click(part('reset'))
      expect(part('arguments').textContent).not.toContain('Not below 1000.')
      expect(all('reset')).toEqual([])
      expect(option('always').disabled).toBe(false)
      const [shown] = document.querySelectorAll<HTMLInputElement>('[data-slot="arguments"] :is(input, textarea)')
      expect(shown?.value).toContain('5000')
      await press()
      expect(answers(client)).toEqual([['q2', { action: 'approve', approvalScope: 'once' }]])
    },
  )

  test('is shown at its field after the response of the server, and the editor stays open', async () => {
    const problem = { code: 'invalid_input', message: 'No.', fieldErrors: { amount: ['Must be positive.'] } }
    const asked = approval({ request: { editable: true, args: { amount: 5_000 }, argsSchema } })
    const { again, client } = await show(() => <ApprovalDialog interaction={{ ...asked, ...extra }} />, {
      client: fakeClient({ interactions: [asked] }),
    })
    await userEvent.click(part('edit'))
    const field = document.querySelector<HTMLInputElement>('[data-slot="argument-fields"] input')!
    await userEvent.fill(field, '7')
    extra = { problem }
    await again()
    expect(part('argument-fields').textContent).toContain('Must be positive.')
    expect(client.calls.filter(({ method }) => method === 'respond')).toEqual([])
  })
  let extra: object = {}
})

test('an edit of one prompt is not applied to the next prompt', async () => {
  let asked = approval({ request: { editable: true, args: { amount: 5_000 } } })
  const { again } = await show(() => <ApprovalDialog interaction={asked} />)
  await userEvent.click(part('edit'))
  await userEvent.click(part('edit-as'))
  await userEvent.fill(part('argument-editor'), '{"amount": 1}')
  asked = approval({ interactionId: 'q2', replaces: 'q1', request: { editable: true, args: { amount: 9_000 } } })
  await again()
  expect(part('readable').textContent).toBe('Amount9000')
  expect(part('arguments').textContent).not.toContain('Edited by you')
})

test('a partly accepted diff is approved once: wider scopes are disabled with the reason, and not sent', async () => {
  const asked = approval({ request: { args: undefined, diff, ...withScopes } })
  const { client } = await show(<ApprovalDialog interaction={asked} />)
  const list = part('scopes').querySelector('select')!
  await userEvent.selectOptions(list, 'session')
  await userEvent.click(part('diff-hunk').querySelectorAll('input')[1]!)
  expect([option('once').selected, option('session').disabled, option('always').disabled]).toEqual([true, true, true])
  const reason = document.getElementById(list.getAttribute('aria-describedby')!)
  expect(reason?.textContent).toBe('Without all of the changes, your approval counts just this time.')
  await press()
  expect(answers(client)).toMatchObject([['q1', { approvalScope: 'once', diffDecisions: { h1: 'reject' } }]])
})

test.each([
  [{ approvalCovers: 'request' as const }, ['In this chat, for exactly this request']],
  [{ approvalCovers: 'tool' as const, labels: { title: 'Deploy' } }, ['In this chat, for every “Deploy”']],
  [
    { approvalCovers: 'tool' as const, approvalLabel: 'rollouts to staging' },
    ['In this chat, for rollouts to staging'],
  ],
  [{}, ['In this chat']],
])('the label of a scope states what it covers: %j', async (covers, [session]) => {
  await show(<ApprovalDialog interaction={approval({ request: { ...withScopes, labels: {}, ...covers } })} />)
  expect(option('session').textContent).toBe(session)
})
