import type { Interaction } from '@holdpoint/core'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { fakeClient } from '../testing/fake-client.ts'
import { approval, connect, diff, form, unknown } from '../testing/interactions.ts'
import { answers, part, show } from '../testing/render.tsx'
import { InteractionView } from './interaction-view.tsx'

test('a question of an unknown kind is marked as unknown, shows its content, and can be declined', async () => {
  const { client } = await show(<InteractionView interaction={unknown({ request: { args: { pages: 12 } } })} />)
  expect(part('card').textContent).toContain('This app version cannot show this question')
  expect(part('prompt').textContent).toBe('Sign the contract with your device.')
  expect(part('readable').textContent).toBe('Pages12')
  expect(part('status').textContent).toContain('You cannot answer it here')
  await userEvent.click(part('decline'))
  expect(answers(client)).toEqual([['q1', { action: 'decline' }]])
})

test('a field of an unknown type is shown as a text field, and sent as typed', async () => {
  const fields = [{ id: 'colour', type: 'color', label: 'Colour', required: true } as never]
  const { client } = await show(
    <InteractionView interaction={form({ request: { inputSchema: { type: 'form', fields } } })} />,
  )
  await userEvent.fill(document.querySelector('[name="colour"]')!, '#ff8800')
  await userEvent.click(part('submit'))
  expect(answers(client)).toEqual([['q1', { action: 'submit', input: { colour: '#ff8800' } }]])
})

const trick = '\u202Egnp.exe <img src=x onerror="window.pwned=1"> [here](javascript:window.pwned=1) '
const endless = (trick + 'x'.repeat(10_000)).slice(0, 10_000)
const options = [{ value: 'a', label: endless, description: endless }]
const everywhere: [string, Interaction][] = [
  [
    'approval',
    approval({
      toolName: endless,
      request: {
        prompt: endless,
        requester: { name: endless },
        labels: { title: endless, approve: endless, deny: endless },
        args: { [endless]: endless },
        approvalScopes: ['once', endless] as never,
        diff: [
          { ...diff[0]!, path: endless, hunks: [{ ...diff[0]!.hunks[0]!, header: endless, lines: [`+${endless}`] }] },
        ],
        error: endless,
      },
    }),
  ],
  [
    'form',
    form({
      request: {
        prompt: endless,
        inputSchema: {
          type: 'form',
          fields: [
            { id: 'text', type: 'text', label: endless, description: endless, placeholder: endless },
            { id: 'select', type: 'select', label: endless, options },
            { id: 'radio', type: 'radio', label: endless, options },
          ],
        },
        fieldErrors: { text: [endless], radio: [endless], [endless]: [endless] },
      },
    }),
  ],
  ['request for accounts', connect({ request: { integrations: [endless], reason: endless } })],
]

test.each(everywhere)(
  'threat 14: ten thousand hostile characters in every text of the %s remain text',
  async (_, interaction) => {
    await show(
      <div style={{ width: 320 }}>
        <InteractionView interaction={interaction} />
      </div>,
    )
    const card = part('card')
    // Everything that is seen or read out; an id that is neither stays what it is.
    const read = ['aria-label', 'title', 'placeholder', 'alt']
    const attributes = [...card.querySelectorAll('*')].flatMap((one) =>
      read.map((name) => one.getAttribute(name) ?? ''),
    )
    const shown = [card.textContent, ...attributes].join('\n')
    expect(shown.includes('\\u{202e}gnp.exe')).toBe(true)
    expect(shown.includes('\u202E')).toBe(false)
    expect(card.querySelector('img, script, a[href^="javascript"]')).toBeNull()
    expect((window as { pwned?: number }).pwned).toBeUndefined()
    expect(card.scrollWidth).toBeLessThanOrEqual(320)
  },
)

test('a rejected answer keeps its reason, scope, arguments and hunks', async () => {
  const question = approval({
    request: { editable: true, approvalScopes: ['once', 'session'], args: { n: 1 }, diff },
  })
  const problem = { code: 'invalid_args', message: 'No' }
  const client = fakeClient({
    interactions: [question],
    respond: async () => ({ status: 'refused', problem }) as never,
  })
  const { again } = await show(
    (given) => <InteractionView interaction={given.getSnapshot().interactions.get('q1')} />,
    { client },
  )
  await userEvent.click(document.querySelector('[data-slot="reason"] summary')!)
  await userEvent.fill(part('reason-input'), 'Because')
  await userEvent.click(document.querySelectorAll('[data-slot="diff-hunk"] input')[1]!)
  await userEvent.click(part('edit'))
  await userEvent.click(part('edit-as'))
  await userEvent.fill(part('argument-editor'), '{ "n": 2 }')
  const send = async () => {
    part('approve').focus()
    await userEvent.keyboard('{Enter}')
  }
  await send()
  for (const connection of ['reconnecting', 'open'] as const) {
    client.become({ connection: { status: connection, attempt: 3 } }, ['connection'])
    client.put({ ...question, problem } as Interaction)
    await again()
  }
  expect(part('status').textContent).toBe('Not accepted. Your answer is still here.')
  await send()
  const [first, second] = answers(client)
  expect(first).toEqual([
    'q1',
    {
      action: 'approve',
      approvalScope: 'once',
      args: { n: 2 },
      diffDecisions: { h1: 'reject', h2: 'accept', h3: 'accept' },
      reason: 'Because',
    },
  ])
  expect(second).toEqual(first)
})
