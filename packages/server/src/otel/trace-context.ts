import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api'

/** W3C Trace Context, version 00, as stored with a question. */
export function toTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** Undefined for what no span can have written. */
export function fromTraceparent(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = '0'] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(traceparent ?? '') ?? []
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}
