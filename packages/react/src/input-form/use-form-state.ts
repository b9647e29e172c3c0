import type { Interaction } from '@holdpoint/core'
import { initialFormValues, validateInput } from '@holdpoint/core/forms'
import type { FieldSpec } from '@holdpoint/core/internal'
import { useCallback, useMemo, useState } from 'react'
import { useDraft } from '../card/behavior/use-draft.ts'
import { useCard } from '../card/elements/card-context.ts'
import { type Problems, sentences } from '../field/problems.ts'
import { storableValues } from '../field/storable-values.ts'
import { questionOf } from '../wording/question-text.ts'
import type { Form } from './form-context.ts'

interface Draft {
  values: Readonly<Record<string, unknown>>
}

const none: Problems = {}
const noFields: readonly FieldSpec[] = []

/** What is typed, what is wrong with it, and handing it in. */
export function useFormState(): Omit<Form, 'controlId' | 'upload'> {
  const { interaction, request, view, respond, messages, locale } = useCard()
  const fields = request?.inputSchema?.fields ?? noFields
  const [draft, change] = useDraft<Draft>(
    interaction,
    (typed) => ({
      values: { ...initialFormValues(fields, request?.initialValues), ...ofFields(typed?.values, fields) },
    }),
    ({ values }) => ({ values: storableValues(fields, values) }),
  )
  const said = serverProblems(interaction)
  const [state, setState] = useState({ said, problems: said, refusals: 0 })
  // The server said something new: it stands until the field that it is about is changed.
  if (state.said !== said) setState({ said, problems: said, refusals: state.refusals + (said === none ? 0 : 1) })

  const setValue = useCallback(
    (fieldId: string, value: unknown) => {
      change({ values: { ...draft.values, [fieldId]: value } })
      setState((before) =>
        before.problems[fieldId] ? { ...before, problems: without(before.problems, fieldId) } : before,
      )
    },
    [draft, change],
  )
  const submit = useCallback(() => {
    if (!view.canAnswer) return
    const checked = validateInput(fields, draft.values, { localTime: true })
    const problems = checked.ok ? none : sentences(checked.problems, messages, locale)
    setState((before) => ({ ...before, problems, refusals: before.refusals + (checked.ok ? 0 : 1) }))
    if (checked.ok) respond({ action: 'submit', input: { ...checked.value } })
  }, [view.canAnswer, fields, draft, messages, locale, respond])
  return useMemo(
    () => ({ fields, values: draft.values, problems: state.problems, refusals: state.refusals, setValue, submit }),
    [fields, draft, state, setValue, submit],
  )
}

/** Field errors of the last answer, or of the question when it was asked again. The same object while they are the same. */
function serverProblems(interaction: Interaction | undefined): Problems {
  if (!interaction) return none
  if (interaction.problem) return interaction.problem.fieldErrors ?? none
  if (interaction.status === 'submitting') return none
  return questionOf(interaction)?.fieldErrors ?? none
}

function without(problems: Problems, fieldId: string): Problems {
  return Object.fromEntries(Object.entries(problems).filter(([id]) => id !== fieldId))
}

/** Of what was typed into the question before, what this one still asks for. */
function ofFields(values: Draft['values'] | undefined, fields: readonly FieldSpec[]): Draft['values'] {
  const known = new Set(fields.map(({ id }) => id))
  return Object.fromEntries(Object.entries(values ?? {}).filter(([id]) => known.has(id)))
}
