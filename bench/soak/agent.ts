import type { Holdpoint, ToolContext } from '@holdpoint/server'
import { type Kind, type NodeNote, promptOf, type Task } from './messages.ts'

/** For people who answer. Long, because the store may be away and all nodes with it. */
const PATIENT_MS = 120_000

type Outcomes = Record<string, string>
type Note = (...line: NodeNote extends [infer What, string, ...infer Rest] ? [What, ...Rest] : never) => void

/** The agent of one node: tools of every kind that ask, and record their effects in a file that outlives them. */
export function agentOn(
  holdpoint: Holdpoint,
  note: (line: readonly unknown[]) => void,
): (task: Task) => Promise<unknown> {
  const say: Note = (...line) => note(line)
  const work = scenarios(say)
  const tool = holdpoint.tool({
    name: 'work',
    // The input is a task; there is no other caller.
    input: { safeParseAsync: async (value: unknown) => ({ success: true as const, data: value as Task }) },
    execute: async (task, ctx) => {
      say('ran', task.id)
      // Of two executions of a call one's result may count: they are not alike.
      const by = crypto.randomUUID()
      return { ...(await work[task.kind](task, ctx)), by }
    },
  })
  return async (task) => {
    const session = holdpoint.session(task.sessionId, { userId: task.userId })
    const call = { runId: `run-${task.id}`, toolCallId: `call-${task.id}` }
    try {
      let result: unknown
      if (task.kind === 'bare') {
        say('ran', task.id)
        result = await work.bare(task, session.toolCall({ ...call, toolName: 'bare' }))
      } else {
        const ran = await session.runTool(tool, task, call)
        result = ran.status === 'completed' ? ran.result : ran.status
      }
      say('promised', task.id, result)
      return result
    } catch (error) {
      const { code = 'unknown', outcome } = error as { code?: string; outcome?: string }
      say('refused', task.id, outcome ?? code)
      throw error
    }
  }
}

function scenarios(note: Note): Record<Kind, (task: Task, ctx: ToolContext) => Promise<Outcomes>> {
  /** Asks, and does what may be done exactly once. */
  const approved = async (task: Task, ctx: ToolContext, step: string, timeoutMs = PATIENT_MS) => {
    const { outcome } = await ctx.tryApprove({
      prompt: promptOf(task, step),
      rememberAs: [step],
      scopes: ['once'],
      timeoutMs,
    })
    if (outcome === 'approved') await effect(task, ctx, step)
    return outcome
  }
  const effect = (task: Task, ctx: ToolContext, step: string) =>
    ctx.once(step, ({ idempotencyKey }) => {
      note('effect', task.id, step, idempotencyKey)
      return step
    })
  const question = (task: Task, timeoutMs = PATIENT_MS) =>
    ({ type: 'approval', prompt: promptOf(task, 'a'), timeoutMs, whenUnavailable: 'wait' }) as const

  return {
    approve: async (task, ctx) => ({ a: await approved(task, ctx, 'a') }),
    expire: async (task, ctx) => ({ a: await approved(task, ctx, 'a', 400) }),
    cancelled: async (task, ctx) => ({ a: await approved(task, ctx, 'a') }),
    bare: async (task, ctx) => ({ a: await approved(task, ctx, 'a') }),
    chain: async (task, ctx) => ({ a: await approved(task, ctx, 'a'), b: await approved(task, ctx, 'b') }),

    async parallel(task, ctx) {
      const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((step) => approved(task, ctx, step)))
      return { a: `${a}`, b: `${b}`, c: `${c}` }
    },

    async form(task, ctx) {
      const fields = [{ id: 'value', type: 'text', label: 'Value', required: true }] as const
      const asked = await ctx.tryAsk({ prompt: promptOf(task, 'a'), fields, timeoutMs: PATIENT_MS })
      if (asked.outcome !== 'submitted') return { a: asked.outcome }
      await effect(task, ctx, 'a')
      return { a: `submitted ${asked.input.value}` }
    },

    reprompt: async (task, ctx) =>
      await ctx.requestInteraction({
        ...question(task),
        onResponse: ({ action }, { attempt, idempotencyKey }) => {
          note('handled', task.id, idempotencyKey)
          return attempt === 1 ? { reprompt: { error: 'Really?' } } : { complete: { a: action } as Outcomes }
        },
      }),

    short: async (task, ctx) =>
      await ctx.requestInteraction({
        ...question(task, 400),
        onResponse: ({ action }, { idempotencyKey }) => {
          note('handled', task.id, idempotencyKey)
          return { complete: { a: action } as Outcomes }
        },
        onTimeout: () => ({ complete: { a: 'timed out' } as Outcomes }),
      }),

    async late(task, ctx) {
      const said = await ctx.requestInteraction({
        ...question(task, 400),
        onResponse: ({ action }) => ({ complete: action as string }),
        onTimeout: () => ({ pending: { message: 'The answer comes later.' } }),
      })
      return { a: typeof said === 'string' ? said : 'pending' }
    },

    async later(task, ctx) {
      const said = await ctx.requestInteraction({
        ...question(task),
        onResponse: ({ action }) =>
          action === 'deny' ? { complete: action as string } : { pending: { message: 'Once more, later.' } },
      })
      return { a: typeof said === 'string' ? said : 'pending' }
    },
  }
}
