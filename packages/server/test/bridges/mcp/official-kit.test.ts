import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createHoldpoint } from '@holdpoint/server'
import { mcpTool } from '@holdpoint/server/mcp'
import { memoryStore } from '@holdpoint/server/memory'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { bridge, served } from './support.ts'

const KIT = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)
const run = promisify(execFile)

/** A tool that asks for one text after the other. The key of each question is `user_` and the name of its field. */
const asking = (...ids: string[]) =>
  mcpTool({
    inputSchema: z.object({}),
    async before(_given, ctx) {
      for (const id of ids) {
        await ctx.ask({ key: `user_${id}`, prompt: `Your ${id}?`, fields: [{ id, label: id, type: 'text' }] })
      }
    },
    execute: () => 'state-ok',
  })
const confirming = mcpTool({
  inputSchema: z.object({}),
  before: (_given, ctx) => ctx.ask({ prompt: 'Sure?', fields: [{ id: 'ok', label: 'OK', type: 'checkbox' }] }),
  execute: () => 'state-ok',
})

const holdpoint = createHoldpoint({ store: memoryStore(), name: 'mcp-kit' })
const tools = {
  test_input_required_result_elicitation: asking('name'),
  test_input_required_result_request_state: confirming,
  test_input_required_result_multi_round: asking('name', 'color'),
  test_input_required_result_tampered_state: confirming,
}
const handler = served(bridge(holdpoint, tools, { principal: () => ({ userId: 'kit' }) }))
const handle = toNodeHandler(handler)
const http = createServer((request, response) => void handle(request as never, response))
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
})
afterAll(async () => {
  await new Promise((resolve) => http.close(resolve))
  await holdpoint.close()
})

test.each([
  'basic-elicitation',
  'validate-input',
  'request-state',
  'multi-round',
  'missing-input-response',
  'result-type',
  'unsupported-methods',
  'tampered-state',
])('the scenario input-required-result-%s of the official kit passes', { timeout: 60_000 }, async (name) => {
  const scenario = `input-required-result-${name}`
  const args = [KIT, 'server', '--url', url, '--scenario', scenario, '--spec-version', '2026-07-28']
  const { stdout } = await run(process.execPath, args).catch((error: { stdout: string; stderr: string }) => error)
  expect(stdout).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed, 0 warnings/)
})

/** Scenarios whose server must not behave as a tool that asks a person does. */
const NOT_APPLICABLE = {
  'ignore-extra-params':
    'the scenario answers without a requestState, so it names no question; threats.test.ts answers with unknown keys',
  'basic-sampling': 'the scenario asks a model; Holdpoint asks people',
  'basic-list-roots': 'the scenario asks the client for its roots; Holdpoint asks people',
  'multiple-input-requests': 'the scenario needs sampling and roots beside the form',
  'capability-check': 'the scenario needs sampling; ways.test.ts has a client without elicitation',
  'non-tool-request': 'the scenario asks in a prompt; the bridge serves tools',
}
for (const [name, reason] of Object.entries(NOT_APPLICABLE)) {
  test(`the scenario input-required-result-${name} of the official kit passes`, ({ skip }) => skip(reason))
}
