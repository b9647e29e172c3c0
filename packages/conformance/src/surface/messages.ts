import { expect, test } from 'vitest'
import type { SurfaceNodes } from './node.ts'

const MINUTE = 60_000

/** The messages of questions that are asked, repeated, and settled elsewhere. */
export function messageCases(use: () => SurfaceNodes): void {
  test('an open question is shown once to each user who can answer it', async () => {
    const { node, ask, pass, world } = use()
    await ask(node(), { audience: ['bob'] })
    await pass(5_000)
    const seen = world.messages()
    expect(seen.map(({ userId, sends }) => `${userId} ${sends}`).sort()).toEqual(['ada 1', 'bob 1'])
    for (const { text, outcome } of seen) {
      expect(text).toContain('Delete 3 files?')
      expect(outcome).toBeUndefined()
    }
  })

  test('a question that is asked twice by the same call is shown once', async () => {
    const { node, pass, world } = use()
    const holdpoint = node()
    const call = { runId: 'run-1', toolCallId: 'call-1', toolName: 'delete_files' }
    for (let time = 0; time < 2; time++) {
      const context = holdpoint.session('chat', { userId: 'ada' }).toolCall(call)
      void context.tryApprove({ rememberAs: 'k', prompt: 'Delete 3 files?' }).catch(() => {})
      await pass(2_000)
    }
    expect(world.messages()).toMatchObject([{ userId: 'ada', sends: 1 }])
  })

  test('two nodes on one store send a message once', async () => {
    const { node, ask, pass, world } = use()
    const first = node()
    node()
    for (let n = 0; n < 5; n++) await ask(first)
    await pass(5_000)
    expect(world.messages()).toHaveLength(5)
    expect(world.messages().every(({ sends }) => sends === 1)).toBe(true)
  })

  test.each(['approve', 'deny'] as const)('a message shows the answer that was given elsewhere: %s', async (action) => {
    const { node, ask, pass, answer, world } = use()
    const holdpoint = node()
    const { asking } = await ask(holdpoint, { audience: ['bob'] })
    await pass(5_000)
    await answer(holdpoint, action)
    await pass(5_000)
    await asking
    const bob = world.messages().find(({ userId }) => userId === 'bob')
    expect(bob?.outcome).toMatch(action === 'approve' ? /approved/i : /denied/i)
  })

  test('a message shows that its question expired', async () => {
    const { node, ask, pass, world } = use()
    const { asking } = await ask(node(), { timeoutMs: MINUTE })
    await pass(2 * MINUTE)
    await asking
    expect(world.messages()).toMatchObject([{ sends: 1, outcome: expect.stringMatching(/expired|time/i) }])
  })

  test('a message shows that its question was withdrawn', async () => {
    const { node, ask, pass, world } = use()
    const holdpoint = node()
    const { asking, interactionId } = await ask(holdpoint)
    await pass(5_000)
    await holdpoint.cancelInteraction(await interactionId())
    await pass(5_000)
    await asking
    expect(world.messages()).toMatchObject([{ sends: 1, outcome: expect.stringMatching(/cancel|withdrawn|stopped/i) }])
  })

  test('a reminder joins the message, and none follows the answer', async () => {
    const { node, ask, pass, answer, world } = use()
    const holdpoint = node({ route: { remind: ['15m', '1h'] } })
    const { asking } = await ask(holdpoint)
    await pass(16 * MINUTE, 10_000)
    expect(world.messages()).toMatchObject([{ sends: 1, reminders: 1 }])
    await answer(holdpoint)
    await pass(60 * MINUTE, 60_000)
    await asking
    expect(world.messages()).toMatchObject([{ sends: 1, reminders: 1 }])
  })

  test('text of the question cannot break out of the format of the surface', async () => {
    const { node, ask, pass, world } = use()
    const hostile = '</p><script>alert(1)</script>\r\nBcc: eve@example.com\r\n<!channel> *<https://evil.example|click>*'
    await ask(node(), { prompt: hostile })
    await pass(5_000)
    const [message] = world.messages()
    expect(world.messages()).toHaveLength(1)
    expect(message).toMatchObject({ userId: 'ada', sends: 1 })
    expect(message?.text).not.toContain('<script>')
    expect(message?.text).not.toContain('<!channel>')
    expect(message?.text).not.toContain('<https://evil.example')
  })
}
