import type { FormSpec } from '@holdpoint/core/internal'
import { stepsOf } from '../engine/api/call-steps.ts'
import { InteractionRefused } from '../engine/api/interaction-refused.ts'
import type { ArgsSchema } from '../engine/api/questions.ts'
import type { ToolContext } from '../engine/api/tool-context.ts'
import { hunksOf } from './hunks.ts'
import { effectiveMode, strictest, type ToolMode } from './modes.ts'
import type { Confirmation, ToolPolicy } from './policy.ts'
import { declinedBy } from './run-effect.ts'

/** A call that may run, with its input and confirmation. */
export interface Confirmed<Input> {
  input: Input
  confirmation: Confirmation
}

type AnyPolicy<Input> = ToolPolicy<Input, never>

/** Asks all questions that must be answered before a call runs. A repeated call finds the recorded answers. */
export async function confirmBefore<Input, Result>(
  schema: ArgsSchema<Input>,
  policy: ToolPolicy<Input, Result>,
  input: Input,
  ctx: ToolContext,
): Promise<Confirmed<Input>> {
  await assertAllowed(policy, input)
  const form = await policy.form?.(input)
  const now = await decide(policy, input, form, ctx)
  // The first mode is recorded with the call, so that a setting that changes later can only make it stricter.
  const mode = strictest(await stepsOf(ctx).record('policy: mode', now), now)
  try {
    if (mode === 'confirm_before_execution') return await confirmed(schema, policy, input, ctx)
    return { input, confirmation: { mode, edited: false, ...(await filledIn(form, ctx)) } }
  } catch (error) {
    throw await declinedBy(error, policy.effects, { input, ctx })
  }
}

async function confirmed<Input>(
  schema: ArgsSchema<Input>,
  policy: AnyPolicy<Input>,
  given: Input,
  ctx: ToolContext,
): Promise<Confirmed<Input>> {
  const output = policy.pending?.(given)
  // Once, because a re-run must not show an answered question as waiting.
  const pending = { status: 'awaiting_confirmation', ...(output !== undefined && { output }) }
  await stepsOf(ctx).stage('policy: pending', { update: pending })
  const question = await policy.confirm?.(given)
  const {
    args: input,
    edited,
    diff = question?.diff,
    diffDecisions,
  } = await ctx.approve<Input>({
    scopes: ['once'],
    ...question,
    args: given,
    schema,
    policy: (changed) => policy.allow?.(changed) ?? true,
  })
  const form = await policy.form?.(input)
  const filled = await filledIn(form, ctx)
  // Confirmed calls stay confirmed, but with a changed input the result may have to be confirmed as well.
  const again = edited ? await decide(policy, input, form, ctx) : 'confirm_before_execution'
  const mode = again === 'confirm_after_execution' ? again : 'confirm_before_execution'
  const update = { status: 'running', ...(edited && { input }) }
  await stepsOf(ctx).stage('policy: confirmed', { update })
  const hunks = diff && hunksOf(diff, diffDecisions)
  return { input, confirmation: { mode, edited, ...filled, ...hunks } }
}

async function filledIn(form: FormSpec | undefined, ctx: ToolContext): Promise<Pick<Confirmation, 'form'>> {
  if (!form) return {}
  const prompt = `What ${ctx.toolName} needs to run`
  return { form: (await ctx.ask({ key: 'policy: form', prompt, fields: fieldsIn(form) })) as Record<string, unknown> }
}

async function decide<Input>(
  policy: AnyPolicy<Input>,
  input: Input,
  form: FormSpec | undefined,
  ctx: ToolContext,
): Promise<ToolMode> {
  return await effectiveMode(policy, input, { choice: await ctx.toolSetting(), asksSecrets: asksSecrets(form) })
}

function asksSecrets(form: FormSpec | undefined): boolean {
  const fields = form && fieldsIn(form)
  return fields?.some(({ type }) => type === 'secret') ?? false
}

const fieldsIn = (form: FormSpec) => ('fields' in form ? form.fields : form)

/** Throws if the policy rejects the input. The user is not asked then. */
async function assertAllowed<Input>(policy: AnyPolicy<Input>, input: Input): Promise<void> {
  const allowed = (await policy.allow?.(input)) ?? true
  if (allowed === true) return
  throw new InteractionRefused('denied', { reason: allowed || 'The policy of this tool rejects the input.' })
}
