import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { approval } from '../testing/interactions.ts'
import { answers, part, show, spoken, wait } from '../testing/render.tsx'
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

describe('an approval of high risk is held by default', () => {
  test('a click does not approve, and the hint says what to do', async () => {
    const { client } = await show(<ApprovalDialog interaction={asked} />)
    await expect.poll(() => part('approve').dataset.armed).toBe('true')
    await userEvent.click(part('approve'))
    expect(answers(client)).toEqual([])
    expect(part('hint').textContent).toBe('Hold the button for a second to confirm.')
    await expect.poll(spoken).toBe('Hold the button for a second to confirm.')
  })

  test('holding the pointer for a second approves, once', async () => {
    const { client } = await show(<ApprovalDialog interaction={asked} />)
    pointer('pointerdown')
    await expect.poll(() => part('approve').dataset.holding).toBe('true')
    await expect.poll(() => answers(client), { timeout: 3_000 }).toEqual(APPROVED)
    pointer('pointerup')
    click({ pointerType: 'mouse', width: 1, height: 1 })
    expect(answers(client)).toEqual(APPROVED)
  })

  test('a pointer that leaves the button approves nothing', async () => {
    const { client } = await show(<ApprovalDialog interaction={asked} />)
    pointer('pointerdown')
    pointer('pointerout')
    await expect.poll(() => part('approve').dataset.holding).toBeUndefined()
    await wait(1_100)
    expect(answers(client)).toEqual([])
  })

  test('Enter or Space is held as well, and a short press approves nothing', async () => {
    const { client } = await show(<ApprovalDialog interaction={asked} />)
    part('approve').focus()
    await userEvent.keyboard('{Enter}')
    expect(answers(client)).toEqual([])
    await userEvent.keyboard('{ >}')
    await expect.poll(() => answers(client), { timeout: 3_000 }).toEqual(APPROVED)
    await userEvent.keyboard('{/ }')
    expect(answers(client)).toEqual(APPROVED)
  })

  test('assistive technology, which cannot hold, presses twice', async () => {
    const { client } = await show(<ApprovalDialog interaction={asked} />)
    click({ detail: 0 })
    expect(answers(client)).toEqual([])
    await expect.poll(spoken).toBe('Press once more to confirm.')
    click({ detail: 0 })
    expect(answers(client)).toEqual(APPROVED)
  })

  test('a question that changes while the button is held is not approved', async () => {
    let shown = asked
    const { client, again } = await show(() => <ApprovalDialog interaction={shown} />)
    pointer('pointerdown')
    shown = { ...asked, request: { ...asked.request, args: { database: 'customers' } } as never }
    await again()
    expect(part('approve').dataset.holding).toBeUndefined()
    await wait(1_100)
    expect(answers(client)).toEqual([])
  })

  test('low and medium risk, and tools that the application exempts take one press', async () => {
    const { client } = await show(<ApprovalDialog interaction={asked} />, {
      provider: { tools: { drop_database: { name: 'Delete database', confirm: 'press' } } },
    })
    await expect.poll(() => part('approve').dataset.armed).toBe('true')
    await userEvent.click(part('approve'))
    expect(answers(client)).toEqual(APPROVED)
  })
})

describe('an approval of high risk for which a name is typed', () => {
  const tools = {
    drop_database: {
      name: 'Delete database',
      confirm: 'type' as const,
      confirmName: (args: unknown) => (args as { database: string }).database,
    },
  }
  const line = () => part('confirm').querySelector('input')!

  test('is disabled until the name is there, and Enter in the line approves nothing', async () => {
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

  test('forgets what was typed for another question', async () => {
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
