import type { ToolResultDelivery } from '@holdpoint/server'
import { registerTools } from '@holdpoint/server/ai-sdk'
import { testHuman } from '@holdpoint/server/testing'
import { describe, expect, test } from 'vitest'
import { clusters, until } from '../engine/support/nodes.ts'
import { ADA } from '../engine/support/world.ts'
import { modelCalling, post, user } from './support/chat.ts'
import { DELETE, deleting } from './support/tools.ts'

describe.each(clusters)('on %s', (_name, makeCluster) => {
  test('a registered tool whose process was killed continues in the next one, and does not ask twice', async () => {
    const cluster = makeCluster()
    const old = cluster.node()
    const before = deleting()
    void post(old.holdpoint, [user('clean up')], {
      model: modelCalling(DELETE),
      tools: before.tools,
      mode: 'inline',
    }).catch(() => {})
    const question = await testHuman(old.holdpoint, ADA).next()
    old.kill()

    const delivered: ToolResultDelivery[] = []
    const next = cluster.node({ hooks: { onToolResult: (delivery) => void delivered.push(delivery) } })
    const after = deleting()
    registerTools(next.holdpoint, after.tools)
    await until(async () => (await next.holdpoint.recover()).recovered === 1, 'the recovery')
    const human = testHuman(next.holdpoint, ADA)
    expect((await human.next()).interactionId).toBe(question.interactionId)
    await human.approve(question)
    await until(() => delivered.length > 0, 'the delivery')
    expect(delivered).toMatchObject([{ status: 'completed', result: { deleted: 1 }, toolCallId: 'call-1' }])
    expect([before.deleted, after.deleted]).toEqual([[], [['a.txt']]])
  })
})
