import { createHoldpointClient } from '@holdpoint/core'
import { memoryTransport } from '@holdpoint/core/testing'
import { Profiler } from 'react'
import { afterEach, expect, inject, test } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { loadParts } from '../base/on-demand.ts'
import { ToolInteraction } from '../interaction-view/tool-interaction.tsx'
import { approval, NOW } from '../testing/interactions.ts'
import { scriptedServer } from '../testing/scripted-server.ts'
import { StoryFrame, storyClock } from '../testing/story-frame.tsx'
import { useConnectionState } from './use-connection-state.ts'

declare module 'vitest' {
  interface ProvidedContext {
    isCI: boolean
  }
}

/** Ten thousand in CI; less elsewhere, where a run should be short. */
const COUNT = inject('isCI') ? 10_000 : 2_000
const about = (n: number) => ({
  timestamp: new Date(NOW).toISOString(),
  sessionId: 'session-1',
  runId: 'run-1',
  interactionId: `q${n}`,
  toolCallId: `call-${n}`,
})

/** A long chat: every question but the last hundred is answered. */
const history = Array.from({ length: COUNT }, (_, n) => {
  const { request } = approval({ interactionId: `q${n}`, toolCallId: `call-${n}` })
  const yes = { type: 'interaction_response', ...about(n), action: 'approve', respondedBy: { clientId: 'other' } }
  return n < COUNT - 100 ? [request, yes] : [request]
}).flat()

afterEach(cleanup)

test(`an event of a real client renders one of ${COUNT.toLocaleString('en')} mounted cards`, async () => {
  // Placeholders would be counted as cards.
  await loadParts()
  const server = scriptedServer({ events: history })
  const client = createHoldpointClient({
    sessionId: 'session-1',
    clientId: 'this-tab',
    transport: memoryTransport(server),
    environment: { now: storyClock.now },
  })
  const rendered = new Map<string, number>()
  const count = (id: string) => void rendered.set(id, (rendered.get(id) ?? 0) + 1)
  const Connection = () => {
    count('connection')
    return <output>{useConnectionState().status}</output>
  }
  const screen = await render(
    <StoryFrame client={client}>
      <Connection />
      {Array.from({ length: COUNT }, (_, n) => (
        <Profiler key={n} id={`call-${n}`} onRender={count}>
          <ToolInteraction toolCallId={`call-${n}`} />
        </Profiler>
      ))}
    </StoryFrame>,
  )
  const cards = () => document.querySelectorAll('[data-slot="card"]').length
  await expect.poll(cards, { timeout: 120_000, interval: 500 }).toBe(COUNT)
  await quiet(rendered)

  rendered.clear()
  server.emit({ type: 'interaction_closed', ...about(COUNT - 1), reason: 'expired' })
  const last = () => document.querySelector(`[data-interaction-id="q${COUNT - 1}"]`)?.getAttribute('data-state')
  await expect.poll(last).toBe('expired')
  await quiet(rendered)
  expect([...rendered.keys()]).toEqual([`call-${COUNT - 1}`])

  rendered.clear()
  server.emit({ type: 'tool_call_log', ...about(17), toolName: 'delete_files', line: 'deleted' } as never)
  server.emit({ type: 'run_status', ...about(0), runId: 'another', status: 'running' } as never)
  await quiet(rendered)
  expect([...rendered.keys()].filter((id) => id !== 'call-17')).toEqual([])
  screen.unmount()
  client.close()
}, 300_000)

/** Until nothing has rendered for two seconds: a busy machine pauses between two renders. */
async function quiet(rendered: ReadonlyMap<string, number>): Promise<void> {
  const total = () => [...rendered.values()].reduce((sum, each) => sum + each, 0)
  for (let before = -1; before !== total(); ) {
    before = total()
    await new Promise((resolve) => setTimeout(resolve, 2_000))
  }
}
