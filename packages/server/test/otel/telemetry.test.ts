import { createHoldpoint } from '@holdpoint/server'
import { memoryStore } from '@holdpoint/server/memory'
import { telemetry } from '@holdpoint/server/otel'
import { testClock, testHuman } from '@holdpoint/server/testing'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

const ADA = { userId: 'ada' }
const manager = new AsyncLocalStorageContextManager()
beforeAll(() => {
  context.setGlobalContextManager(manager.enable())
})
afterAll(() => {
  context.disable()
})

/** Two processes on one store, each with an SDK of its own. */
function world() {
  const clock = testClock()
  const store = memoryStore({ now: clock.now })
  const node = () => {
    const spans = new InMemorySpanExporter()
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] })
    const tracer = provider.getTracer('test')
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
    const meters = new MeterProvider({ readers: [reader] })
    const holdpoint = createHoldpoint({
      store: { ...store, close: async () => {} },
      environment: clock.environment,
      hooks: {
        onFollowUp: () => {},
        onToolResult: () => {},
        ...telemetry({ tracer, meter: meters.getMeter('test') }),
      },
    })
    onTestFinished(async () => {
      await holdpoint.close()
      await meters.shutdown()
    })
    return {
      holdpoint,
      tracer,
      span: (name: string) => spans.getFinishedSpans().find((one) => one.name === name),
      everything: () =>
        JSON.stringify(spans.getFinishedSpans().map(({ name, attributes, events }) => [name, attributes, events])),
      /** Returns the data points of a metric. */
      async metric(name: string) {
        await reader.forceFlush()
        const all =
          exporter
            .getMetrics()
            .at(-1)
            ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? []
        return all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []
      },
    }
  }
  return { clock, agent: node(), web: node() }
}

const approval = { prompt: 'Delete the secret plan?', args: { plan: 'secret' }, timeoutMs: 60_000 }
const call = (toolCallId: string) => ({ runId: 'run-1', toolCallId, toolName: 'delete_files' })

test('a tool continues in the trace of its question, linked to the request of the answer', async () => {
  const { clock, agent, web } = world()
  const turn = agent.tracer.startSpan('turn')
  const approved = context.with(trace.setSpan(context.active(), turn), () =>
    agent.holdpoint.session('chat', ADA).toolCall(call('call-1')).approve(approval),
  )
  const human = testHuman(web.holdpoint, ADA)
  const question = await human.next()
  await clock.advance('30s')
  const request = web.tracer.startSpan('POST /messages')
  await context.with(trace.setSpan(context.active(), request), () =>
    human.approve(question, { reason: 'secret reason' }),
  )
  await clock.advance('1s')
  await approved
  turn.end()

  const { traceId, spanId } = turn.spanContext()
  const asked = agent.span('holdpoint asked')!
  expect(asked.spanContext().traceId).toBe(traceId)
  expect(asked.parentSpanContext?.spanId).toBe(spanId)
  expect(asked.attributes).toMatchObject({
    'holdpoint.tool': 'delete_files',
    'holdpoint.interaction.id': question.interactionId,
  })

  const answered = web.span('holdpoint answered')!
  expect(answered.parentSpanContext?.spanId).toBe(request.spanContext().spanId)
  expect(answered.links.map((link) => link.context.spanId)).toEqual([spanId])
  expect(answered.attributes).toMatchObject({ 'holdpoint.action': 'approve', 'holdpoint.waited_ms': 30_000 })

  const resumed = agent.span('holdpoint resumed')!
  expect(resumed.spanContext().traceId).toBe(traceId)
  expect(resumed.parentSpanContext?.spanId).toBe(spanId)
  expect(resumed.links.map((link) => link.context.spanId)).toEqual([request.spanContext().spanId])
  // As long as the wait was.
  expect(resumed.duration[0]).toBeGreaterThanOrEqual(30)

  expect(agent.everything() + web.everything()).not.toContain('secret')
})

test('spans are recorded without parents and links if there is no trace', async () => {
  const { agent } = world()
  const approved = agent.holdpoint.session('chat', ADA).toolCall(call('call-1')).approve(approval)
  const human = testHuman(agent.holdpoint, ADA)
  await human.approve(await human.next())
  await approved
  const resumed = agent.span('holdpoint resumed')!
  expect(resumed.parentSpanContext).toBeUndefined()
  expect(resumed.links).toEqual([])
})

test('metrics count open questions and the time until the answer for each outcome', async () => {
  const { clock, agent } = world()
  const { holdpoint } = agent
  const session = holdpoint.session('chat', ADA)
  const human = testHuman(holdpoint, ADA)
  const openNow = async () => {
    const points = await agent.metric('holdpoint.questions.open')
    return points.reduce((sum, { value }) => sum + (value as number), 0)
  }
  const ask = (id: string, options = {}) => {
    const asked = session.toolCall(call(id)).requestInteraction({
      type: 'approval',
      ...approval,
      whenUnavailable: 'wait',
      onResponse: ({ action }, { attempt }) =>
        action === 'deny' && attempt === 1 ? { reprompt: { error: 'Really?' } } : { complete: action },
      ...options,
    })
    asked.catch(() => {})
    return human.next().then((question) => {
      human.ignore(question)
      return question
    })
  }

  const approved = await ask('approved')
  const denied = await ask('denied')
  const cancelled = await ask('cancelled')
  await ask('silent')
  await ask('handled', { onTimeout: () => ({ complete: 'nobody' }) })
  const late = await ask('late', { onTimeout: () => ({ pending: { message: 'later' } }) })
  const queued = await ask('queued', { onResponse: () => ({ pending: { message: 'queued' } }) })
  expect(await openNow()).toBe(7)
  await clock.advance('10s')
  await human.approve(approved)
  await human.deny(denied)
  await human.approve(await human.next())
  await holdpoint.cancelInteraction(cancelled.interactionId)
  await human.approve(queued)
  await clock.settle()
  // Still open: silent, handled, late, and the successor of the one that is queued.
  expect(await openNow()).toBe(4)
  await clock.advance('2m')
  expect(await openNow()).toBe(2)
  await human.approve(late)
  await session.declineWaiting()
  const successor = (await human.waiting())[0]!
  await holdpoint.cancelInteraction(successor.interactionId)
  await clock.settle()
  expect(await openNow()).toBe(0)

  const waits = await agent.metric('holdpoint.wait.duration')
  const counts = Object.fromEntries(
    waits.map(({ attributes, value }) => [attributes['holdpoint.outcome'], (value as { count: number }).count]),
  )
  expect(counts).toEqual({ approve: 4, deny: 1, timed_out: 3 })
  const denied_ = waits.find(({ attributes }) => attributes['holdpoint.outcome'] === 'deny')!
  expect((denied_.value as { sum: number }).sum).toBe(10)
  expect(JSON.stringify(waits)).not.toContain('secret')
})
