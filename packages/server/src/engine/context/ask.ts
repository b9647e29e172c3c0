import { HoldpointError } from '@holdpoint/core'
import { fieldsFromJsonSchema } from '@holdpoint/core/forms'
import { fieldsFromZod } from '@holdpoint/core/forms/zod'
import type { FieldSpec } from '@holdpoint/core/internal'
import type { z } from 'zod'
import type { Complete, Outcome, Refused, Submitted } from '../api/questions.ts'
import type { AskFields, AskJsonSchema, AskSchema } from '../api/tool-context.ts'
import { issuesByField } from '../state/field-errors.ts'
import type { Answered } from '../state/rows.ts'
import { askAndWait, type Interacted } from '../waiting/ask-and-wait.ts'
import { refusedOf } from './outcome.ts'
import { prepareQuestion, type QuestionSpec } from './prepare-question.ts'
import type { ToolParticipant } from './tool-participant.ts'

export type AnyAsk<T> = AskSchema<T> | AskFields<readonly FieldSpec[]> | AskJsonSchema

export async function tryAsk<T>(participant: ToolParticipant, options: AnyAsk<T>): Promise<Submitted<T> | Refused> {
  const { schema, fields, jsonSchema, ...shared } = options
  const form = schema
    ? fieldsFromZod(schema as unknown as z.ZodType)
    : jsonSchema
      ? fieldsFromJsonSchema(jsonSchema)
      : fields
  const spec: QuestionSpec = {
    question: { ...shared, type: 'input', inputSchema: form },
    behavior: {
      plain: (answer) => (schema && answer.action === 'submit' ? undefined : formOf(answer)),
      onResponse: (answer) => judgeForm(schema, answer),
    },
    shortcut: true,
    whenUnavailable: options.whenUnavailable ?? 'wait',
  }
  return askAndWait(participant, prepareQuestion(participant, spec)).then(
    (interacted) => submissionOf<T>(interacted, schema),
    refusedOf,
  )
}

export function submissionOf<T>(
  interacted: Interacted,
  schema: AskSchema<T>['schema'] | undefined,
): Promise<Submitted<T> | Refused> | Submitted<T> | Refused {
  const recorded = (interacted as Extract<Interacted, { type: 'value' }>).value as Refused | Submitted<T>
  if (recorded.outcome !== 'submitted' || !schema) return recorded
  return parsedAgain(schema, recorded.input).then((input) => ({ ...recorded, input }))
}

/** If a rule of the schema that no field can express fails, the form is asked again with the person's input. */
export async function judgeForm(schema: AskSchema<unknown>['schema'] | undefined, answer: Answered): Promise<Outcome> {
  if (answer.action !== 'submit') return formOf(answer)
  const parsed = await schema?.safeParseAsync(answer.input)
  if (parsed && !parsed.success) {
    const { error = 'Please correct what is marked.', fieldErrors } = issuesByField(parsed.error.issues)
    return { reprompt: { error, fieldErrors } }
  }
  return formOf(answer)
}

export function formOf({ action, input, reason, by }: Answered): Complete {
  if (action === 'submit') return { complete: { outcome: 'submitted', input, respondedBy: by } }
  const outcome = action === 'decline' ? 'declined' : 'cancelled'
  return { complete: { outcome, ...(reason !== undefined && { reason }) } }
}

/** The record is JSON. The schema parses it again to restore dates, defaults and transformed text. */
export async function parsedAgain<T>(schema: AskSchema<T>['schema'], input: unknown): Promise<T> {
  const parsed = await schema.safeParseAsync(input)
  if (parsed.success) return parsed.data
  throw new HoldpointError(
    'recorded_input_invalid',
    'The recorded input of this form no longer fits its schema. The schema was changed while the question waited; ask under a new key.',
  )
}
