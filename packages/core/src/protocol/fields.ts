import { z } from 'zod'
import { limits } from '../json/limits.ts'
import { id } from './ids.ts'

/** One choice of a select, radio or multiselect. */
export const fieldOption = z.looseObject({
  value: z.string(),
  label: z.string(),
  description: z.string().optional(),
})

const known = z.union([z.string(), z.number(), z.boolean()])

/**
 * A condition of a field: it is asked only if an earlier field has this value, or one of these values. Without `is` any
 * answer is sufficient, and a checkbox must be ticked.
 */
export const fieldCondition = z.looseObject({
  field: id,
  is: z.union([known, z.array(known).min(1).max(limits.options)]).optional(),
})
/** When a field is asked: `{ field: 'delivery', is: 'express' }`. */
export type FieldCondition = z.infer<typeof fieldCondition>

const base = {
  id,
  label: z.string(),
  description: z.string().optional(),
  required: z.boolean().optional(),
  placeholder: z.string().optional(),
  /** Consecutive fields with the same group are shown together under its name. In a questionnaire they are one step. */
  group: z.string().min(1).max(limits.factLength).optional(),
  when: fieldCondition.optional(),
  /** The value that a browser or a password manager may fill in, as an HTML autocomplete token. */
  autocomplete: z.string().optional(),
}
const options = z.array(fieldOption).min(1).max(limits.options)
const length = { minLength: z.int().min(0).optional(), maxLength: z.int().min(0).optional() }
const text = { ...base, ...length, defaultValue: z.string().optional() }
const pattern = { pattern: z.string().max(512).optional() }
/** With `other` the person can give one answer in their own words instead of an option. */
const choice = { options, other: z.boolean().optional() }
const range = { minimum: z.number().optional(), maximum: z.number().optional() }

/** The field kinds of a form. `pattern` is shown to people and checked only where it is safe: see `core/forms`. */
export const inputField = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), ...text, ...pattern }),
  z.looseObject({ type: z.literal('textarea'), ...text }),
  z.looseObject({ type: z.literal('email'), ...text, ...pattern }),
  z.looseObject({ type: z.literal('url'), ...text, ...pattern }),
  z.looseObject({
    type: z.literal('date'),
    ...base,
    defaultValue: z.string().optional(),
    min: z.string().optional(),
    max: z.string().optional(),
  }),
  z.looseObject({
    type: z.literal('datetime'),
    ...base,
    defaultValue: z.string().optional(),
    min: z.string().optional(),
    max: z.string().optional(),
  }),
  z.looseObject({ type: z.literal('number'), ...base, ...range, defaultValue: z.number().optional() }),
  z.looseObject({ type: z.literal('integer'), ...base, ...range, defaultValue: z.int().optional() }),
  /** An amount in the currency's main unit, with no more decimals than the currency has. */
  z.looseObject({
    type: z.literal('money'),
    ...base,
    ...range,
    currency: z.string().regex(/^[A-Z]{3}$/),
    defaultValue: z.number().optional(),
  }),
  /** Two days, the end not before the start: `{ from: '2026-01-31', to: '2026-02-03' }`. */
  z.looseObject({
    type: z.literal('daterange'),
    ...base,
    defaultValue: z.looseObject({ from: z.string(), to: z.string() }).optional(),
    min: z.string().optional(),
    max: z.string().optional(),
  }),
  /** A phone number with its country code; spaces and punctuation are removed: `+49301234567`. */
  z.looseObject({ type: z.literal('phone'), ...base, defaultValue: z.string().optional() }),
  /**
   * With `const` only a ticked box is an answer, for example for a consent. Without it an unticked box is the answer
   * `false`.
   */
  z.looseObject({
    type: z.literal('checkbox'),
    ...base,
    const: z.literal(true).optional(),
    defaultValue: z.boolean().optional(),
  }),
  z.looseObject({ type: z.literal('select'), ...base, ...choice, defaultValue: z.string().optional() }),
  z.looseObject({ type: z.literal('radio'), ...base, ...choice, defaultValue: z.string().optional() }),
  z.looseObject({
    type: z.literal('multiselect'),
    ...base,
    ...choice,
    minItems: z.int().min(0).optional(),
    maxItems: z.int().min(0).optional(),
    defaultValue: z.array(z.string()).optional(),
  }),
  /** Stored in the vault, never in an event, a log line or a model's history. It deliberately has no default. */
  z.looseObject({ type: z.literal('secret'), ...base, ...length }),
  /** An upload; the value is the handle that `POST /sessions/:id/uploads` returned. */
  z.looseObject({
    type: z.literal('file'),
    ...base,
    accept: z.array(z.string()).optional(),
    maxBytes: z.int().min(1).optional(),
    multiple: z.boolean().optional(),
  }),
])

export type FieldOption = z.infer<typeof fieldOption>
/** One field of a form: its `type` decides the control and what counts as a valid value. */
export type InputField = z.infer<typeof inputField>

export const inputSchema = z.looseObject({
  type: z.literal('form'),
  fields: z.array(inputField).min(1).max(limits.fields),
})
/** A form as it travels in a question. Both ends check answers against it. */
export type InputSchema = z.infer<typeof inputSchema>
