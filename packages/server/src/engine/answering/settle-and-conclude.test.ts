import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import type { Store } from '@holdpoint/server/store'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { shownIn } from '../../../test/engine/support/shown-in.ts'
import { engineOf } from '../../http/mounted.ts'
import type { LifecycleEvent } from '../api/lifecycle-event.ts'

/**
 * Records the calls to the store, in order. With a database each of them is a round trip, and a commit waits for its
 * disk.
 */
function watched() {
  const asked: string[] = []
  const inner = memoryStore()
  const telling = <Name extends keyof Store>(name: Name): Store[Name] => {
    const work = inner[name] as (...args: unknown[]) => unknown
    return ((...args: unknown[]) => {
      asked.push(name)
      return work(...args)
    }) as Store[Name]
  }
  const names = ['load', 'list', 'byTag', 'due', 'commit', 'readLog', 'snapshot'] as const
  const store: Store = { ...inner, ...Object.fromEntries(names.map((name) => [name, telling(name)])) }
  return { asked, store }
}

test.each(['a registered tool', 'a bare call'])(
  'a plain answer to %s that waits in the same process needs one read and one commit',
  async (whose) => {
    const { asked, store } = watched()
    let interactionId = ''
    const onEvent = (event: LifecycleEvent) => {
      if (event.type === 'asked') interactionId = event.interactionId
    }
    const holdpoint = createHoldpoint({ store, authenticate: () => null, hooks: { onEvent } })
    onTestFinished(() => holdpoint.close())
    const session = holdpoint.session('s', { userId: 'ada' })
    const ids = { runId: 'r', toolCallId: 'c' }
    let before: string[] | undefined
    const isContinued = () => {
      before = [...asked]
    }
    const approve = { prompt: 'Go?', args: { files: 3 } }
    const tool = holdpoint.tool({
      name: 't',
      input: z.object({}),
      execute: async (_input, ctx) => {
        await ctx.approve(approve)
        isContinued()
      },
    })
    const gone =
      whose === 'a bare call'
        ? session
            .toolCall({ ...ids, toolName: 't' })
            .approve(approve)
            .then(isContinued)
        : session.runTool(tool, {}, ids)
    // Wait for the work that asking started.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    const shownDigest = await shownIn(holdpoint, 's', interactionId)
    asked.length = 0
    await engineOf(holdpoint).answer({ userId: 'ada' }, 's', {
      type: 'tool_interaction_response',
      ...{ clientId: 'tab', callId: 'c', interactionId, answerId: 'a', action: 'approve', shownDigest },
    })
    await gone
    expect(before).toEqual(['load', 'commit'])
  },
)
