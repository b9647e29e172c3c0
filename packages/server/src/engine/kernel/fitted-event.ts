import type { KnownEvent } from '@holdpoint/core/internal'
import { byteLength } from '../../base/environment.ts'
import type { Kernel } from './kernel.ts'

/** Encodes an event of a tool call. If it exceeds the limit of an event, its output and input are left out. */
export function fittedEvent({ limits }: Kernel, event: KnownEvent & { output?: unknown; input?: unknown }): string {
  const json = JSON.stringify(event)
  if (byteLength(json) <= limits.eventBytes) return json
  const { output: _output, input: _input, ...rest } = event
  return JSON.stringify(rest)
}
