import { EventEmitter, once } from 'node:events'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'

/** A tool call that the model makes. */
export interface ScriptedCall {
  id: string
  name: string
  input: Record<string, unknown>
  /** The command line interface asks for a permission, besides the hooks. */
  suggestions?: object[]
  defaultToNo?: boolean
}

/** The actions of the stand-in in one turn: tool calls of one message, or an elicitation of an MCP server. */
export interface Script {
  calls?: readonly ScriptedCall[]
  elicitation?: Record<string, unknown>
  /** Runs a tool, as the command line interface does by itself. */
  run?(call: ScriptedCall): unknown
}

/** How each call of a turn ended. */
export type CallEnd = { allowed: unknown; output: unknown } | { denied: string } | 'deferred'

/**
 * Speaks the control protocol of the Claude command line interface over pipes, in this process: hooks before each tool,
 * permissions where no hook decides, `defer` for a turn with a single call, elicitations.
 */
export class ClaudeStandIn {
  readonly ends = new Map<string, CallEnd>()
  /** The results of elicitations. */
  readonly elicited: unknown[] = []
  readonly #script: Script

  constructor(script: Script) {
    this.#script = script
  }

  /** Starts the stand-in, as the option `spawnClaudeCodeProcess` of the SDK expects. */
  readonly spawn = () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    const child = new EventEmitter() as EventEmitter & { exitCode: number | null; killed: boolean }
    Object.assign(child, { exitCode: null, killed: false })
    const end = () => {
      if (child.exitCode !== null) return
      child.exitCode = 0
      stdout.end()
      child.emit('exit', 0, null)
    }
    void this.#serve(stdin, stdout).then(end, (error) => {
      child.emit('error', error)
      end()
    })
    return Object.assign(child, {
      ...{ stdin, stdout },
      kill: () => {
        child.killed = true
        end()
        return true
      },
    })
  }

  async #serve(stdin: PassThrough, stdout: PassThrough): Promise<void> {
    const answers = new EventEmitter()
    let hooks: string[] = []
    let requests = 0
    const write = (message: object) => stdout.write(`${JSON.stringify(message)}\n`)
    const request = async (body: object): Promise<Record<string, unknown>> => {
      const request_id = `request-${++requests}`
      const answered = once(answers, request_id)
      write({ type: 'control_request', request_id, request: body })
      const [response] = (await answered) as [{ subtype: string; response?: Record<string, unknown>; error?: string }]
      if (response.subtype !== 'success') throw new Error(response.error)
      return response.response ?? {}
    }
    const turn = async () => {
      const base = { session_id: SESSION, uuid: '00000000-0000-4000-8000-000000000001' }
      write({ type: 'system', subtype: 'init', ...base, tools: [], mcp_servers: [], model: 'stand-in', cwd: '/' })
      const { calls = [], elicitation } = this.#script
      if (elicitation) this.elicited.push(await request({ subtype: 'elicitation', ...elicitation }))
      await Promise.all(calls.map(async (call) => this.ends.set(call.id, await this.#call(call, request, hooks))))
      const deferred = calls.find(({ id }) => this.ends.get(id) === 'deferred')
      write({
        ...{ type: 'result', subtype: 'success', ...base, is_error: false, num_turns: 1, result: 'done' },
        ...{ duration_ms: 1, duration_api_ms: 1, total_cost_usd: 0, usage: {}, modelUsage: {}, permission_denials: [] },
        ...(deferred && { deferred_tool_use: { id: deferred.id, name: deferred.name, input: deferred.input } }),
      })
    }
    for await (const line of createInterface({ input: stdin })) {
      if (line.trim() === '') continue
      const message = JSON.parse(line)
      if (message.type === 'control_response') answers.emit(message.response.request_id, message.response)
      if (message.type === 'user') void turn().finally(() => stdin.end())
      if (message.type !== 'control_request') continue
      const { request_id } = message
      if (message.request.subtype === 'initialize') {
        const matchers: { hookCallbackIds: string[] }[] = message.request.hooks?.PreToolUse ?? []
        hooks = matchers.flatMap(({ hookCallbackIds }) => hookCallbackIds)
      }
      const response = { commands: [], agents: [], models: [], hooks_applied: true, hook_on_failure_supported: true }
      write({ type: 'control_response', response: { subtype: 'success', request_id, response } })
    }
  }

  async #call(
    call: ScriptedCall,
    request: (body: object) => Promise<Record<string, unknown>>,
    hooks: readonly string[],
  ): Promise<CallEnd> {
    const { id, name, input } = call
    for (const callback_id of hooks) {
      const event = { hook_event_name: 'PreToolUse', session_id: SESSION, transcript_path: '', cwd: '/' }
      const answer = await request({
        subtype: 'hook_callback',
        ...{ callback_id, tool_use_id: id, input: { ...event, tool_name: name, tool_input: input, tool_use_id: id } },
      })
      const { permissionDecision, permissionDecisionReason, updatedInput } = (answer.hookSpecificOutput ?? {}) as {
        permissionDecision?: string
        permissionDecisionReason?: string
        updatedInput?: Record<string, unknown>
      }
      if (permissionDecision === 'deny') return { denied: permissionDecisionReason ?? '' }
      if (permissionDecision === 'allow') return this.#run(call, updatedInput ?? input)
      // Ignored for several calls: they take the way of permissions.
      if (permissionDecision === 'defer' && this.#script.calls?.length === 1) return 'deferred'
    }
    const answer = await request({
      subtype: 'can_use_tool',
      ...{ tool_name: name, input, tool_use_id: id },
      ...(call.suggestions && { permission_suggestions: call.suggestions }),
      ...(call.defaultToNo && { default_to_no: true }),
    })
    if (answer.behavior !== 'allow') return { denied: String(answer.message) }
    this.updates = answer.updatedPermissions
    return this.#run(call, (answer.updatedInput ?? input) as Record<string, unknown>)
  }

  /** The permissions that the last answer added. */
  updates: unknown

  async #run(call: ScriptedCall, input: Record<string, unknown>): Promise<CallEnd> {
    return { allowed: input, output: await this.#script.run?.({ ...call, input }) }
  }
}

const SESSION = '00000000-0000-4000-8000-000000000000'
