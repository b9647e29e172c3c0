import { z } from 'zod'
import { limits } from '../json/limits.ts'
import { id } from './ids.ts'

/** One choice of a select, radio or multiselect. */
export const fieldOption = z.looseObject({
  value: z.string(),
  label: z.string(),
  description: z.string().optional(),
})

const base = {
  id,
  label: z.string(),
  description: z.string().optional(),
  required: z.boolean().optional(),
  placeholder: z.string().optional(),
  /** What a browser or a password manager may fill in: an HTML autocomplete token. */
  autocomplete: z.string().optional(),
}
const options = z.array(fieldOption).min(1).max(limits.options)
const length = { minLength: z.int().min(0).optional(), maxLength: z.int().min(0).optional() }
const text = { ...base, ...length, defaultValue: z.string().optional() }
const pattern = { pattern: z.string().max(512).optional() }
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
  /** `const`: only ticked is an answer, as for a consent. Without it unticked is an answer too, `false`. */
  z.looseObject({
    type: z.literal('checkbox'),
    ...base,
    const: z.literal(true).optional(),
    defaultValue: z.boolean().optional(),
  }),
  z.looseObject({ type: z.literal('select'), ...base, options, defaultValue: z.string().optional() }),
  z.looseObject({ type: z.literal('radio'), ...base, options, defaultValue: z.string().optional() }),
  z.looseObject({
    type: z.literal('multiselect'),
    ...base,
    options,
    minItems: z.int().min(0).optional(),
    maxItems: z.int().min(0).optional(),
    defaultValue: z.array(z.string()).optional(),
  }),
  /** Goes to the vault, never into an event, a log line or a model's history. It has no default on purpose. */
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
