import { testHuman } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import { clusters } from './support/nodes.ts'
import { ADA, call, person } from './support/world.ts'

const FORM = { type: 'form', fields: [{ id: 'n', type: 'integer', label: 'Number', required: true }] } as const

/** A busy machine may stop a process for longer than the short leases of other tests; in these tests no process may take over. */
const LASTING = { timing: { leaseMs: 15_000, orphanAfterMs: 60_000 } } as const

/** Authorization, valid answers, and the winner. */
describe.each(clusters)('%s', (_name, makeCluster) => {
  async function asked(how: 'approval' | 'input' = 'approval', options: object = {}) {
    const cluster = makeCluster()
    const node = cluster.node(LASTING)
    const ctx = node.holdpoint.session('chat', ADA).toolCall(call())
    let handled = 0
    const result = ctx.requestInteraction({
      ...(how === 'approval' ? { type: 'approval' } : { type: 'input', inputSchema: FORM }),
      whenUnavailable: 'wait',
      ...options,
      onResponse: (response: { action: string; input?: unknown }) => {
        handled++
        return { complete: response.input ?? response.action }
      },
    } as Parameters<typeof ctx.requestInteraction>[0])
    const ada = person(node.holdpoint)
    return { cluster, node, result, ada, question: await ada.next(), handled: () => handled }
  }

  test('of fifty answers on two nodes exactly one wins, and the response to each other answer names the winner', async () => {
    for (let round = 0; round < 4; round++) {
      const { cluster, result, question, handled } = await asked()
      const nodes = [cluster.node(LASTING), cluster.node(LASTING)]
      const answers = Array.from({ length: 50 }, (_, n) => {
        const tab = person(nodes[n % 2]!.holdpoint, 'chat', { ...ADA, name: `tab ${n}` })
        return tab.answer(question, { action: n % 3 ? 'approve' : 'deny', clientId: `tab-${n}`, answerId: `a-${n}` })
      })
      const replies = await Promise.all(answers)
      const winners = replies.flatMap((reply, n) => (reply.status === 200 ? [n] : []))
      expect(winners).toHaveLength(1)
      const winner = winners[0]!
      for (const [n, { status, body }] of replies.entries()) {
        if (n === winner) continue
        expect({ status, body }).toMatchObject({
          status: 409,
          body: {
            error: { code: 'already_answered', respondedBy: { clientId: `tab-${winner}`, name: `tab ${winner}` } },
          },
        })
      }
      expect(await result).toBe(winner % 3 ? 'approve' : 'deny')
      expect(handled()).toBe(1)
    }
  })

  test('a repeated winning answer is accepted again, before and after the handler ran [R4.2]', async () => {
    const { ada, question, result, handled } = await asked()
    const said = { action: 'approve', approvalScope: 'once', answerId: 'one' }
    const replies = await Promise.all([ada.answer(question, said), ada.answer(question, said)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    await result
    expect(await ada.answer(question, said)).toEqual({ status: 200, body: { status: 'accepted', replayed: true } })
    expect(handled()).toBe(1)
  })

  test('an answer with the same answerId and another body is rejected [T25.2]', async () => {
    const { ada, question, result } = await asked()
    await ada.answer(question, { action: 'approve', answerId: 'one' })
    await result
    for (const changed of [
      { action: 'deny' },
      { action: 'approve', reason: 'x' },
      { action: 'approve', approvalScope: 'session' },
    ]) {
      expect(await ada.answer(question, { ...changed, answerId: 'one' })).toMatchObject({
        status: 409,
        body: { error: { code: 'answer_id_reused' } },
      })
    }
  })

  test('an invalid answer leaves the question open, with errors by field', async () => {
    const { ada, question, result } = await asked('input')
    for (const input of [{}, { n: 'x' }, { n: 1.5 }, { n: 1, other: 2 }]) {
      const reply = await ada.answer(question, { action: 'submit', input })
      expect(reply).toMatchObject({
        status: 422,
        body: { error: { code: 'invalid_input', fieldErrors: expect.anything() } },
      })
    }
    expect((await ada.next()).interactionId).toBe(question.interactionId)
    expect(await ada.answer(question, { action: 'submit', input: { n: '3' } })).toMatchObject({ status: 200 })
    expect(await result).toEqual({ n: 3 })
  })

  test('an answer that does not fit the question is rejected with a code for its reason', async () => {
    const { ada, question } = await asked('approval', { approvalScopes: ['once', 'session'] })
    const refused = async (said: Record<string, unknown>, code: string, status: number) =>
      expect(await ada.answer(question, said)).toMatchObject({ status, body: { error: { code } } })
    await refused({ action: 'submit', input: {} }, 'action_not_allowed', 400)
    await refused({ action: 'decline' }, 'action_not_allowed', 400)
    await refused({ action: 'approve', approvalScope: 'always' }, 'scope_not_offered', 400)
    await refused({ action: 'deny', approvalScope: 'once' }, 'scope_not_offered', 400)
    await refused({ action: 'approve', args: { changed: true } }, 'action_not_allowed', 400)
    await refused({ action: 'approve', interactionId: 'unknown' }, 'unknown_interaction', 404)
    await refused({ action: 'approve', callId: 'another call' }, 'unknown_interaction', 404)
    expect(await ada.answer(question, { action: 'approve' })).toMatchObject({ status: 200 })
  })

  test('only the owner answers, and other users do not learn whether the question exists [T1.4]', async () => {
    const { node, question } = await asked()
    const eve = person(node.holdpoint, 'chat', { userId: 'eve' })
    const foreign = await eve.answer(question, { action: 'approve' })
    const unknown = await person(node.holdpoint, 'no such chat', { userId: 'eve' }).answer(question, {
      action: 'approve',
    })
    expect(foreign).toEqual(unknown)
    expect(foreign.status).toBe(404)
    expect(await engineOf(node.holdpoint).inbox({ userId: 'eve' }, {})).toEqual({ items: [] })
    const sameUserElsewhere = person(node.holdpoint, 'chat', { ...ADA, tenant: 'other' } as typeof ADA)
    expect(await sameUserElsewhere.answer(question, { action: 'approve' })).toEqual(unknown)
  })

  test('an audience answers through its inbox, and may not read the session', async () => {
    const { node, question, result, ada } = await asked('approval', { audience: ['boss'] })
    const boss = testHuman(node.holdpoint, { userId: 'boss' })
    const [inInbox] = await boss.waiting()
    expect(inInbox).toMatchObject({ interactionId: question.interactionId, sessionId: 'chat' })
    expect(await engineOf(node.holdpoint).access({ userId: 'boss' }, 'chat', 'read')).toBeNull()
    await boss.approve(inInbox!)
    expect(await result).toBe('approve')
    const [answered] = (await ada.snapshot()).interactions
    expect(answered?.response).toMatchObject({ respondedBy: { userId: 'boss' } })
    expect(await boss.waiting()).toEqual([])
  })

  test('an inbox states the rights in each session: an owner may remember an approval, an audience may not', async () => {
    const { node, result } = await asked('approval', { audience: ['boss'] })
    const rightsOf = async (userId: string) => {
      const { items } = await engineOf(node.holdpoint).inbox({ userId }, {})
      return items[0]?.you
    }
    expect(await rightsOf('boss')).toEqual({ userId: 'boss', can: ['respond', 'extend'] })
    expect(await rightsOf(ADA.userId)).toMatchObject({ userId: ADA.userId, can: expect.arrayContaining(['remember']) })
    await testHuman(node.holdpoint, ADA).approve((await testHuman(node.holdpoint, ADA).waiting())[0]!)
    await result
  })

  test('an audience may answer and extend the question, and nothing else', async () => {
    const { node, question, result } = await asked('approval', { audience: ['boss'], extendable: true })
    const engine = engineOf(node.holdpoint)
    const boss = { userId: 'boss' }
    const { interactionId } = question
    const message = { clientId: 'tab', interactionId }
    expect(await engine.extend(boss, 'chat', { type: 'extend_interaction', ...message })).toMatchObject({ status: 200 })
    const refusals = [
      await engine.cancelRun(boss, 'chat', { type: 'cancel_run', clientId: 'tab', runId: 'run-1' }),
      await engine.connect(boss, 'chat', { interactionId, integration: 'slack' }),
      await engine.userActions(boss, 'chat', { type: 'user_actions', clientId: 'tab', actions: [] } as never),
      await engine.submitAuthResult(boss, 'chat', {
        type: 'submit_auth_result',
        clientId: 'tab',
        generationId: 'run-1',
        integration: 'slack',
        success: true,
      }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    await person(node.holdpoint, 'chat', boss).answer(question, { action: 'approve' })
    expect(await result).toBe('approve')
  })

  test('a client with questions switched off cannot answer', async () => {
    const { node, ada, question } = await asked()
    const session = (await engineOf(node.holdpoint).access(ADA, 'chat', 'read'))!
    await engineOf(node.holdpoint).presence.touch(session, { clientId: 'tab', userId: 'ada', enabled: false })
    expect(await ada.answer(question, { action: 'approve' })).toMatchObject({
      status: 409,
      body: { error: { code: 'not_interactive' } },
    })
    await engineOf(node.holdpoint).presence.touch(session, { clientId: 'tab', userId: 'ada', enabled: true })
    expect(await ada.answer(question, { action: 'approve' })).toMatchObject({ status: 200 })
  })
})

test('the authorize option decides about every action', async () => {
  const seen: string[] = []
  const [, makeCluster] = clusters[0]!
  const { holdpoint } = makeCluster().node({
    security: {
      authorize: ({ principal, action, owner, interaction }) => {
        seen.push(`${principal.userId} ${action} ${owner} ${interaction?.toolName ?? '-'}`)
        return principal.userId === 'auditor' ? action === 'read' : principal.userId === owner
      },
    },
  })
  const result = holdpoint.session('chat', ADA).toolCall(call()).approve({ prompt: 'Go?' })
  const ada = person(holdpoint)
  const question = await ada.next()
  const auditor = person(holdpoint, 'chat', { userId: 'auditor' })
  expect((await auditor.snapshot()).you.can).toEqual(['read'])
  expect(await auditor.answer(question, { action: 'approve' })).toMatchObject({
    status: 403,
    body: { error: { code: 'forbidden' } },
  })
  await ada.answer(question, { action: 'approve' })
  await result
  expect(seen).toContain('ada respond ada delete_files')
})
