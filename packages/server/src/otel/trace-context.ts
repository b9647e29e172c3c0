import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api'

/** Returns a span context in the format of W3C Trace Context, version 00, which is stored with a question. */
export function toTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** Returns the span context of a stored text, or undefined if the text is malformed. */
export function fromTraceparent(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = '0'] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(traceparent ?? '') ?? []
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}
