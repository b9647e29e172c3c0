import { expect, test } from 'vitest'
import { parseToolCall } from './parse-tool-call.ts'

const call = { toolName: 'send_email', args: { to: 'ada@example.com' } }

test.each([
  ['a name and arguments', { name: 'send_email', arguments: { to: 'ada@example.com' } }],
  ['arguments as text', { function: { name: 'send_email', arguments: '{"to":"ada@example.com"}' } }],
  [
    'a list of tool calls',
    { tool_calls: [{ id: '1', function: { name: 'send_email', arguments: '{"to":"ada@example.com"}' } }] },
  ],
  [
    'a content part',
    {
      content: [
        { type: 'text', text: 'Sure' },
        { type: 'tool_use', name: 'send_email', input: { to: 'ada@example.com' } },
      ],
    },
  ],
  ['a tool name and an input', { toolName: 'send_email', input: { to: 'ada@example.com' } }],
  ['a request of MCP', { method: 'tools/call', params: { name: 'send_email', arguments: { to: 'ada@example.com' } } }],
])('a tool call is found in %s', (_shape, value) => {
  expect(parseToolCall(JSON.stringify(value))).toEqual(call)
})

test('a text that is not JSON, and JSON without a call, are rejected with a reason', () => {
  expect(parseToolCall('{')).toMatch(/^This is not JSON/)
  expect(parseToolCall('[1, "two"]')).toMatch(/no tool call/)
  expect(parseToolCall('null')).toMatch(/no tool call/)
})

test('arguments that are text and not JSON remain text', () => {
  expect(parseToolCall('{"name":"say","arguments":"hello"}')).toEqual({ toolName: 'say', args: 'hello' })
})
