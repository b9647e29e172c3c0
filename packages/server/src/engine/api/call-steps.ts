import type { ToolContext, ToolUpdate } from './tool-context.ts'

/** `Symbol.for`, so that two copies of the package in one process find each other's steps. */
const STEPS = Symbol.for('holdpoint.steps')

/** A value of the call's journal, and an update of the call that is shown when the value is recorded. */
export interface CallStep {
  value?: unknown
  update?: ToolUpdate
  /** Called within the commit with the value that was recorded under this key before. It may throw. */
  onFound?: (recorded: unknown) => void
}

/**
 * Steps of a call that are recorded once and need no commit of their own: the next commit of the call writes them. If the
 * process ends before it, a re-run stages them again.
 */
export interface CallSteps {
  /** Returns the value that is recorded under this key. Without one, stages the given value and returns it. */
  record<T>(key: string, value: T): Promise<T>
  /** Stages a step without reading first. It is left out if its key is recorded by then. */
  stage(key: string, step: CallStep): Promise<void>
  /** Commits what is still staged. */
  flush(): Promise<void>
}

/** Attaches steps to a context. `{ ...ctx }` copies them. */
export const withSteps = <T extends object>(ctx: T, steps: CallSteps): T => Object.assign(ctx, { [STEPS]: steps })

/** Returns the steps of a context. Those of a context that the host made by itself are recorded with `once`. */
export function stepsOf(ctx: ToolContext): CallSteps {
  const { [STEPS]: steps } = ctx as { [STEPS]?: CallSteps }
  if (steps) return steps
  return {
    record: (key, value) => ctx.once(key, () => value),
    async stage(key, { value, update, onFound }) {
      const found = await ctx.once(key, async () => {
        if (update) await ctx.update(update)
        return value
      })
      onFound?.(found)
    },
    flush: async () => {},
  }
}

/** Records a value with one commit, and returns the value that was recorded first. */
export async function recordNow<T>(ctx: ToolContext, key: string, value: T): Promise<T> {
  const steps = stepsOf(ctx)
  let first = value
  await steps.stage(key, {
    value,
    onFound: (recorded) => {
      first = recorded as T
    },
  })
  await steps.flush()
  return first
}
