import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { approval } from '../testing/interactions.ts'
import { answers, liveText, part, show, wait } from '../testing/render.tsx'
import { ApprovalDialog } from './approval-dialog.tsx'

const asked = approval({
  toolName: 'drop_database',
  request: {
    ...{ risk: 'high', prompt: 'Delete the orders database?', args: { database: 'orders' } },
    labels: { approve: 'Delete the database', deny: 'Keep it' },
  },
})
const pointer = (type: string) =>
  part('approve').dispatchEvent(
    new PointerEvent(type, { bubbles: true, isPrimary: true, button: 0, pointerType: 'mouse', width: 1, height: 1 }),
  )
const click = (more: PointerEventInit) =>
  part('approve').dispatchEvent(new PointerEvent('click', { bubbles: true, cancelable: true, detail: 1, ...more }))
const APPROVED = [['q1', { action: 'approve' }]]

describe('an approval of high risk that is held by default', () => {
  test('ignores a click and shows a hint', async () => {
    const { client } = await show(<ApprovalDialog interaction={asked} />)
    await expect.poll(() => part('approve').dataset.armed).toBe('true')
    await userEvent.click(part('approve'))
    expect(answers(client)).toEqual([])
    expect(part('hint').textContent).toBe('Hold the button for a second to confirm.')
    await expect.poll(liveText).toBe('Hold the button for a second to confirm.')
  })

  test('is sent once after the pointer was held for a second', async () => {
    const { client } = await show(<ApprovalDialog interaction={asked} />)
    pointer('pointerdown')
    await expect.poll(() => part('approve').dataset.holding).toBe('true')
    await expect.poll(() => answers(client), { timeout: 3_000 }).toEqual(APPROVED)
    pointer('pointerup')
    click({ pointerType: 'mouse', width: 1, height: 1 })
    expect(answers(client)).toEqual(APPROVED)
  })

  test('is not sent if the pointer leaves the button', async () => {
    const { client } = await show(<ApprovalDialog interaction={asked} />)
    pointer('pointerdown')
    pointer('pointerout')
    await expect.poll(() => part('approve').dataset.holding).toBeUndefined()
    await wait(1_100)
    expect(answers(client)).toEqual([])
  })

  test('is also held with Enter or Space, and a short press sends nothing', async () => {
    const { client } = await show(<ApprovalDialog interaction={asked} />)
    part('approve').focus()
    await userEvent.keyboard('{Enter}')
    expect(answers(client)).toEqual([])
    await userEvent.keyboard('{ >}')
    await expect.poll(() => answers(client), { timeout: 3_000 }).toEqual(APPROVED)
    await userEvent.keyboard('{/ }')
    expect(answers(client)).toEqual(APPROVED)
  })

  test('is sent after two presses of assistive technology, which cannot hold', async () => {
    const { client } = await show(<ApprovalDialog interaction={asked} />)
    click({ detail: 0 })
    expect(answers(client)).toEqual([])
    await expect.poll(liveText).toBe('Press once more to confirm.')
    click({ detail: 0 })
    expect(answers(client)).toEqual(APPROVED)
  })

  test('is not sent if the question changes while the button is held', async () => {
    let shown = asked
    const { client, again } = await show(() => <ApprovalDialog interaction={shown} />)
    pointer('pointerdown')
    shown = { ...asked, request: { ...asked.request, args: { database: 'customers' } } as never }
    await again()
    expect(part('approve').dataset.holding).toBeUndefined()
    await wait(1_100)
    expect(answers(client)).toEqual([])
  })

  test('needs one press with low or medium risk, or for a tool that the app exempts', async () => {
    const { client } = await show(<ApprovalDialog interaction={asked} />, {
      provider: { tools: { drop_database: { name: 'Delete database', confirm: 'press' } } },
    })
    await expect.poll(() => part('approve').dataset.armed).toBe('true')
    await userEvent.click(part('approve'))
    expect(answers(client)).toEqual(APPROVED)
  })
})

describe('an approval of high risk with a name to type', () => {
  const tools = {
    drop_database: {
      name: 'Delete database',
      confirm: 'type' as const,
      confirmName: (args: unknown) => (args as { database: string }).database,
    },
  }
  const line = () => part('confirm').querySelector('input')!

  test('is disabled until the name is typed, and Enter in the text field does not approve', async () => {
    const { client } = await show(<ApprovalDialog interaction={asked} />, { provider: { tools } })
    expect(line().labels?.[0]?.textContent).toBe('Type “orders” to confirm')
    await userEvent.fill(line(), 'order')
    expect(part('approve').getAttribute('aria-disabled')).toBe('true')
    await userEvent.type(line(), 's{Enter}')
    expect(answers(client)).toEqual([])
    expect(part('approve').getAttribute('aria-disabled')).toBeNull()
    part('approve').focus()
    await userEvent.keyboard('{Enter}')
    expect(answers(client)).toEqual(APPROVED)
  })

  test('clears the typed name for another question', async () => {
    let shown = asked
    const { again } = await show(() => <ApprovalDialog interaction={shown} />, { provider: { tools } })
    await userEvent.fill(line(), 'orders')
    const request = { ...asked.request, interactionId: 'q2' }
    shown = { ...asked, interactionId: 'q2', replaces: 'q1', request }
    await again()
    expect(line().value).toBe('')
    expect(part('approve').getAttribute('aria-disabled')).toBe('true')
  })
})
