import { HoldpointError, type HoldpointErrorCode } from '@holdpoint/core'
import { assertIds } from '../../base/assert-ids.ts'
import { recordable } from '../../base/canonical-json.ts'
import { InteractionRefused } from '../api/interaction-refused.ts'
import type { ArgsSchema } from '../api/questions.ts'
import type { AnyTool, Tool, ToolDefinition, ToolRun } from '../api/tool.ts'
import { type CallIdentity, Execution } from '../calls/execution.ts'
import { callFacts } from '../kernel/report.ts'
import { SESSION_ROW, sessionPartition } from '../records/keys.ts'
import { issuesByField } from '../state/field-errors.ts'
import { beginCall, beginWithFirstWrite } from './begin-call.ts'
import { isOwnedSince } from './owned-since.ts'
import type { ToolKernel } from './tool-kernel.ts'
import { type Ran, ToolRunner } from './tool-runner.ts'
import { waitElsewhere } from './wait-for-session-change.ts'

/** The tools that this process can run again, and those that it is running. */
export class ToolRegistry {
  private readonly kernel: ToolKernel
  private readonly known = new Map<string, AnyTool>()
  private readonly offered = new Map<string, readonly string[]>()
  private readonly edits = new Map<string, ArgsSchema<unknown>>()
  private readonly running = new Map<string, ToolRunner>()

  constructor(kernel: ToolKernel) {
    this.kernel = kernel
  }

  /** A second definition of a name takes the place of the first: a module was loaded again. */
  register<Input, Result, Raw, Before>(
    definition: ToolDefinition<Input, Result, Raw, Before>,
  ): Tool<Input, Result, Raw> {
    const tool = Object.freeze({ ...definition })
    assertIds('holdpoint.tool', { name: tool.name })
    this.known.set(tool.name, tool)
    // Only the tool itself passes the value of its `before` to its `execute`.
    return tool as unknown as Tool<Input, Result, Raw>
  }

  find(name: string): AnyTool | undefined {
    return this.known.get(name)
  }

  /** Declares the settings of a tool that other code runs. */
  offer(name: string, choices: readonly string[]): void {
    assertIds('toolSettings.offer', { toolName: name })
    this.offered.set(name, choices)
  }

  /** Declares the schema of changed arguments for a tool that other code runs. */
  checkEdits(name: string, schema: ArgsSchema<unknown>): void {
    this.edits.set(name, schema)
  }

  /** The schema of arguments that a person changed, where this process knows the tool. */
  editSchema(name: string): ArgsSchema<unknown> | undefined {
    const tool = this.known.get(name)
    return this.edits.get(name) ?? tool?.edits ?? tool?.input
  }

  /** Returns the settings that users may choose, by tool. */
  choices(): ReadonlyMap<string, readonly string[]> {
    const own = [...this.known.values()].flatMap(({ name, choices }) =>
      choices?.length ? [[name, choices] as const] : [],
    )
    return new Map([...this.offered, ...own])
  }

  isRunning(partition: string, call: string): boolean {
    return this.running.has(`${partition} ${call}`)
  }

  /** Runs a call, or joins it where it runs already, or returns its record. */
  async run<Input, Result, Raw>(
    tool: Tool<Input, Result, Raw>,
    input: unknown,
    identity: CallIdentity,
    signal?: AbortSignal,
  ): Promise<ToolRun<Result>> {
    const { kernel } = this
    await kernel.ready()
    this.checkMode()
    const parsed = await tool.input.safeParseAsync(input)
    if (!parsed.success) throw invalidInput(tool.name, issuesByField(parsed.error.issues))
    const stored = recordable(`The input of ${tool.name}`, input)
    // A call that was found to exist is begun by its record.
    for (let isNew = true; ; isNew = false) {
      signal?.throwIfAborted()
      const step = await this.beginOrJoin(tool, identity, { input: stored }, isNew)
      if (step instanceof ToolRunner) {
        const ran = await step.join(signal)
        if (ran.type !== 'lost') return outcomeOf(ran)
      } else if (step.type === 'finished') return outcomeOf(step)
      else if (step.type === 'suspended') return { status: 'suspended', interactionIds: step.interactionIds }
      else await waitElsewhere(kernel, sessionPartition(identity.tenant, identity.sessionId), signal)
    }
  }

  /**
   * Runs a call again that no code waits for, unless an execution is running or this process does not know the tool.
   */
  async resume(partition: string, id: string, why: 'resumed' | 'recovered'): Promise<ToolRunner | null> {
    const { kernel } = this
    const local = this.running.get(`${partition} ${id}`)
    if (local && why === 'recovered') return null
    // It may be stopping at the question that was just settled, and no other process would run it again.
    await local?.settled
    const [session, row] = await kernel.transact(partition, (tx) => tx.read(['session', SESSION_ROW], ['call', id]))
    const tool = row && this.known.get(row.toolName)
    if (!session || !tool || row.status === 'finished') return null
    const { tenant, sessionId, userId } = session
    const { runId, toolCallId, toolName } = row
    const identity = { tenant, sessionId, userId, runId, toolCallId, toolName }
    const step = await this.beginOrJoin(tool, identity, { again: true })
    if (!(step instanceof ToolRunner)) return null
    if (why === 'recovered') kernel.emit({ type: 'call_recovered', ...callFacts(session, row, row.startedAt) })
    return step
  }

  /** One at a time for each call: two callers in this process must not claim it from each other. */
  private beginOrJoin(tool: AnyTool, identity: CallIdentity, how: Parameters<typeof beginCall>[2], isNew = false) {
    const { kernel } = this
    const waiter = kernel.settings.waiting === 'suspend' ? 'suspended' : 'inline'
    const execution = new Execution(identity, { registered: true, waiter })
    return kernel.serialQueue.run(`begin ${execution.name}`, async () => {
      const local = this.running.get(execution.name)
      if (local) return local
      await kernel.heartbeat.alive()
      if (isNew && tool.before && 'input' in how) {
        beginWithFirstWrite(kernel, execution, how.input)
        return this.start(execution, tool, how.input)
      }
      const from = kernel.environment.now()
      const begun = await beginCall(kernel, execution, how)
      if (begun.type !== 'claimed') return begun
      if (!(await isOwnedSince(kernel, execution, from))) return { type: 'elsewhere' as const }
      return this.start(execution, tool, begun.call.input)
    })
  }

  /** Resolves when no tool is running. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all([...this.running.values()].map((runner) => runner.settled))
  }

  private start(execution: Execution, tool: AnyTool, input: unknown): ToolRunner {
    const runner = new ToolRunner(this.kernel, execution, tool, input)
    this.running.set(execution.name, runner)
    void runner.settled.finally(() => this.running.delete(execution.name))
    runner.start()
    return runner
  }

  private checkMode(): void {
    const { kernel } = this
    if (kernel.settings.waiting !== 'suspend' || kernel.store.shared) return
    throw new HoldpointError(
      'suspend_needs_store',
      `waiting: 'suspend' lets the process end while a question is open, and the ${kernel.store.name} store would end with it. Use sqliteStore, postgresStore or redisStore, or waiting: 'inline'.`,
    )
  }
}

/** Returns the part of a run that a caller of `runTool` receives. */
function outcomeOf<Result>(ran: Exclude<Ran, { type: 'lost' }>): ToolRun<Result> {
  if (ran.type === 'suspended') return { status: 'suspended', interactionIds: ran.interactionIds }
  const { result, error } = ran
  if (result.status === 'completed') return { status: 'completed', result: result.result as Result }
  if (error !== undefined) throw error
  if (result.status === 'refused') {
    const { outcome, reason, output } = result
    throw new InteractionRefused(outcome, {
      ...(reason !== undefined && { reason }),
      ...(output !== undefined && { output }),
    })
  }
  throw new HoldpointError(result.code as HoldpointErrorCode, result.message)
}

function invalidInput(name: string, { error, fieldErrors }: ReturnType<typeof issuesByField>): HoldpointError {
  const where = Object.keys(fieldErrors).join(', ')
  return new HoldpointError(
    'invalid_tool_input',
    `The input of ${name} does not fit its schema${where ? ` at ${where}` : ''}. Correct the call; no question was asked.`,
    { details: { fieldErrors, ...(error !== undefined && { error }) } },
  )
}
