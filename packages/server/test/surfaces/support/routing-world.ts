import { createHoldpoint, type Holdpoint } from '@holdpoint/server'
import { answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { addSurfaces } from '@holdpoint/server/surfaces'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { onTestFinished } from 'vitest'
import type { SurfaceOptions } from '../../../src/surfaces/add-surfaces.ts'
import { boardWorld } from './board.ts'

export const ADA = { userId: 'ada' }
export const DAY = 86_400_000

/** Nodes with a board, a clock that starts at noon UTC, and what is on the board by user. */
export function routingWorld(options: Omit<Partial<SurfaceOptions>, 'pages' | 'surfaces'> = {}) {
  const clock = testClock({ start: Date.UTC(2030, 0, 1, 12) })
  const store = memoryStore({ now: clock.now })
  const board = boardWorld()
  const node = () => {
    const holdpoint = createHoldpoint({
      store: { ...store, close: async () => {} },
      name: crypto.randomUUID(),
      environment: clock.environment,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      hooks: { onToolResult: () => {}, onFollowUp: () => {} },
    })
    onTestFinished(() => holdpoint.close())
    const pages = answerPage(holdpoint, { url: 'https://app.example.com/holdpoint' })
    addSurfaces(holdpoint, { pages, surfaces: [board.surface], ...options })
    return holdpoint
  }
  const holdpoint = node()
  const ask = async (asked: object = {}) => {
    const toolCall = { runId: 'run-1', toolCallId: crypto.randomUUID(), toolName: 'deploy' }
    const context = holdpoint.session('chat', ADA).toolCall(toolCall)
    const asking = context.tryApprove({ prompt: 'Deploy?', timeoutMs: 5 * DAY, ...asked }).catch((error) => error)
    await clock.advance('1s')
    return asking
  }
  const seen = () => board.messages().map(({ userId, reminders }) => `${userId} ${reminders}`)
  const pass = async (time: number | string) => {
    await clock.advance(time)
    await clock.advance('1s')
  }
  /** Lets hours pass in jumps of ten minutes. Each jump runs the timers that are due, without the heartbeats in between. */
  const passHours = async (hours: number) => {
    for (let jump = 0; jump < hours * 6; jump++) await clock.jump('10m')
    await clock.advance('1s')
  }
  return { clock, board, node, holdpoint, ask, seen, pass, passHours }
}

export async function approveAs(holdpoint: Holdpoint, userId: string, pass: (time: string) => Promise<void>) {
  const human = testHuman(holdpoint, { userId, present: false })
  const [question] = await human.waiting()
  if (!question) throw new Error(`${userId} has no question`)
  await Promise.race([human.approve(question), pass('10s')])
}
