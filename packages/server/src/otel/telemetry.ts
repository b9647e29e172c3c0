import {
  type Attributes,
  context,
  type Link,
  type Meter,
  metrics,
  ROOT_CONTEXT,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { LifecycleEvent } from '../engine/api/lifecycle-event.ts'
import { fromTraceparent, toTraceparent } from './trace-context.ts'

/** Options for apps with their own tracer or meter instead of the global ones. */
interface TelemetryOptions {
  /** @default the global one */
  tracer?: Tracer
  /** @default the global one */
  meter?: Meter
}

/** Pass it to `createHoldpoint`. */
interface Telemetry {
  traceparent(): string | undefined
  onEvent(event: LifecycleEvent): void
}

const NAME = '@holdpoint/server'
type Question = Extract<LifecycleEvent, { interactionId: string }>

/**
 * Traces and metrics for OpenTelemetry. The trace that asks is stored with its question, so the tool that resumes (a
 * day later, in another process) is in the same trace, and the request that answered is linked to it. Spans and metrics
 * record durations and kinds of questions, never their content, answers or input.
 *
 * @example const holdpoint = createHoldpoint({ store, authenticate, hooks: telemetry() })
 */
export function telemetry({
  tracer = trace.getTracer(NAME),
  meter = metrics.getMeter(NAME),
}: TelemetryOptions = {}): Telemetry {
  const open = meter.createUpDownCounter('holdpoint.questions.open', {
    description: 'Questions that are not over. Add up all processes: one may ask and another close.',
    unit: '{question}',
  })
  const wait = meter.createHistogram('holdpoint.wait.duration', {
    description: 'From the question to the answer or the deadline.',
    unit: 's',
    advice: { explicitBucketBoundaries: [1, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400] },
  })
  const steps = meter.createCounter('holdpoint.steps', { description: 'Steps of questions, calls and deliveries.' })

  return {
    traceparent() {
      const active = trace.getActiveSpan()?.spanContext()
      return active && toTraceparent(active)
    },
    onEvent(event) {
      steps.add(1, { 'holdpoint.step': event.type })
      if (!('interactionId' in event)) return
      const labels = { 'holdpoint.kind': event.kind, 'holdpoint.tool': event.toolName }
      if (event.type === 'asked') open.add(1, labels)
      if (event.type === 'closed') open.add(-1, labels)
      if (event.type === 'answered' || event.type === 'timed_out') {
        const outcome = event.type === 'answered' ? event.action : 'timed_out'
        wait.record(event.waitedMs / 1_000, { ...labels, 'holdpoint.outcome': outcome })
      }
      if (event.type !== 'refused' && event.type !== 'closed') record(tracer, event)
    },
  }
}

/** Records a span for a step. The span of a resumed tool is as long as its wait. */
function record(tracer: Tracer, event: Question): void {
  const asked = fromTraceparent(event.traceparent)
  const answered = fromTraceparent(event.answeredIn)
  const links: Link[] = []
  // A step of the waiting tool belongs to the trace of the tool. An answer belongs to the trace of its request.
  let parent = context.active()
  if (event.type !== 'answered' && asked) parent = trace.setSpanContext(ROOT_CONTEXT, asked)
  else if (asked) links.push({ context: asked })
  if (event.type === 'resumed' && answered) links.push({ context: answered })
  const startTime = event.type === 'resumed' ? event.at - event.waitedMs : event.at
  tracer
    .startSpan(`holdpoint ${event.type}`, { startTime, links, attributes: attributesOf(event) }, parent)
    .end(event.at)
}

function attributesOf(event: Question): Attributes {
  const { sessionId, runId, toolCallId, toolName, interactionId, kind, attempt } = event
  return {
    'holdpoint.session.id': sessionId,
    'holdpoint.run.id': runId,
    'holdpoint.tool_call.id': toolCallId,
    'holdpoint.tool': toolName,
    'holdpoint.interaction.id': interactionId,
    'holdpoint.kind': kind,
    'holdpoint.attempt': attempt,
    ...(event.type === 'answered' && { 'holdpoint.action': event.action, 'holdpoint.late': event.late }),
    ...('waitedMs' in event && { 'holdpoint.waited_ms': event.waitedMs }),
  }
}
