import { PassThrough } from 'node:stream'
import { expect, onTestFinished } from 'vitest'
import type { HoldpointClient } from '../../../client/api/types.ts'
import { createHoldpointClient } from '../../../client/create-client.ts'
import type { HoldpointEvent } from '../../../protocol/events.ts'
import { type RecordedPeerOptions, recordedPeer } from '../../../testing/recorded-peer.ts'
import { memoryTransport } from '../../../transport/memory.ts'
import { answerInTerminal } from '../answer-in-terminal.ts'

/** A terminal that shows these events, and what a person types and reads there. */
export function openTerminal(
  events: HoldpointEvent[],
  more: Partial<RecordedPeerOptions> = {},
  patch: Partial<HoldpointClient> = {},
) {
  const peer = recordedPeer({ sessionId: 's', events, ...more })
  const client = { ...createHoldpointClient({ sessionId: 's', transport: memoryTransport(peer) }), ...patch }
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ''
  output.on('data', (chunk) => {
    shown += chunk
  })
  const controller = new AbortController()
  const urls: string[] = []
  const done = answerInTerminal({ client, input, output, signal: controller.signal, openUrl: (url) => urls.push(url) })
  onTestFinished(async () => {
    controller.abort()
    client.close()
    await done.catch(() => {})
  })
  return {
    peer,
    client,
    urls,
    done,
    shown: () => shown,
    stop: () => controller.abort(),
    end: () => input.end(),
    write: (text: string) => input.write(text),
    /** Waits for a prompt, then types. */
    async type(...steps: [prompt: string, line: string][]) {
      for (const [prompt, line] of steps) {
        await expect.poll(() => shown.slice(-400)).toContain(prompt)
        shown = shown.slice(shown.lastIndexOf(prompt) + prompt.length)
        input.write(`${line}\n`)
      }
    },
    async answer(id: string) {
      const find = () => peer.log.find((event) => event.type === 'interaction_response' && event.interactionId === id)
      await expect.poll(find).toBeTruthy()
      const { action, approvalScope, input: given, reason, args } = find() as Record<string, unknown>
      return JSON.parse(JSON.stringify({ action, approvalScope, input: given, reason, args }))
    },
  }
}
