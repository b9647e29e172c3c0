import type { Holdpoint } from '@holdpoint/server'
import { testHuman } from '@holdpoint/server/testing'
import { expect } from 'vitest'
import { z } from 'zod'
import { ADA, person } from './world.ts'

/** A tool that asks before its code runs. `asked` counts the runs of `before`, `ran` has the node of each run of the code. */
export function askingTool(holdpoint: Holdpoint, node: string, seen: { asked: string[]; ran: string[] }) {
  return holdpoint.tool({
    name: 'delete_files',
    input: z.object({ files: z.array(z.string()) }),
    before: ({ files }, ctx) => {
      seen.asked.push(node)
      return ctx.approve({ prompt: `Delete ${files.length} files?`, args: { files } })
    },
    execute: (_input, { before, toolCallId }) => {
      seen.ran.push(`${toolCallId} ${node}`)
      return before.args.files
    },
  })
}

/** All nodes receive the same calls at the same moment, several times each. One question is asked for each call. */
export async function raceToAsk(nodes: readonly Holdpoint[], random: () => number, calls: number): Promise<void> {
  const seen = { asked: [] as string[], ran: [] as string[] }
  const tools = nodes.map((holdpoint, n) => askingTool(holdpoint, `node-${n}`, seen))
  const sessionId = `race-${crypto.randomUUID()}`
  const ids = Array.from({ length: calls }, (_, n) => `call-${n}`)
  const made = ids.flatMap((toolCallId) => nodes.flatMap((_, n) => [n, n].map((node) => ({ toolCallId, node }))))
  made.sort(() => random() - 0.5)
  const results = made.map(({ toolCallId, node }) => {
    const session = nodes[node]!.session(sessionId, ADA)
    return session.runTool(tools[node]!, { files: [toolCallId] }, { runId: 'run-1', toolCallId }).then((ran) => ({
      toolCallId,
      ran,
    }))
  })
  const ada = person(nodes[0]!, sessionId)
  const questions = await ada.pending(calls)
  const replies = await Promise.all(questions.map((question) => ada.answer(question, { action: 'approve' })))
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  for (const { toolCallId, ran } of await Promise.all(results)) {
    expect(ran).toEqual({ status: 'completed', result: [toolCallId] })
  }
  expect(seen.ran.map((one) => one.split(' ')[0]).sort()).toEqual([...ids].sort())
  const events = await ada.events()
  for (const type of ['tool_call_start', 'interaction_request', 'tool_call_complete']) {
    const own = events.filter((event) => event.type === type).map((event) => String(event.toolCallId))
    expect(own.sort(), type).toEqual([...ids].sort())
  }
  expect(await testHuman(nodes[0]!, ADA).waiting()).toEqual([])
}
