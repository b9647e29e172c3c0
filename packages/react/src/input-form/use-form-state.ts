import type { Interaction } from '@holdpoint/core'
import { initialFormValues, validateInput } from '@holdpoint/core/forms'
import type { FieldSpec } from '@holdpoint/core/internal'
import { askedFields } from '@holdpoint/core/internal/forms'
import { shownDigest } from '@holdpoint/core/wire'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useDraft } from '../card/behavior/use-draft.ts'
import { useCard } from '../card/elements/card-context.ts'
import { type Problems, sentences } from '../field/values/problems.ts'
import { storableValues } from '../field/values/storable-values.ts'
import { questionOf } from '../wording/question-text.ts'
import type { Form } from './form-context.ts'
import { stepWith, useSteps } from './use-steps.ts'

interface Draft {
  values: Readonly<Record<string, unknown>>
  step: number
}

const none: Problems = {}
/** Dates and times without a zone are in this device's zone. */
const LOCAL = { localTime: true }
const noFields: readonly FieldSpec[] = []

/** Returns the typed values, their problems, and the function that submits them. */
export function useFormState(): Omit<Form, 'controlId' | 'upload'> {
  const { interaction, request, view, respond, messages, locale } = useCard()
  const fields = request?.inputSchema?.fields ?? noFields
  const [draft, change] = useDraft<Draft>(
    interaction,
    (typed) => ({
      values: { ...initialFormValues(fields, request?.initialValues), ...ofFields(typed?.values, fields) },
      step: 0,
    }),
    ({ values, step }) => ({ values: storableValues(fields, values), step }),
  )
  const asked = useMemo(() => askedFields(fields, draft.values, LOCAL), [fields, draft.values])
  const steps = useSteps(asked, request?.presentation === 'questionnaire', draft.step)
  const serverErrors = serverProblems(interaction)
  const [state, setState] = useState({ said: serverErrors, problems: serverErrors, refusals: 0, moves: 0 })
  // New problems from the server are shown until their field is changed.
  if (state.said !== serverErrors) {
    setState({
      ...state,
      said: serverErrors,
      problems: serverErrors,
      refusals: state.refusals + (serverErrors === none ? 0 : 1),
    })
  }
  const stepWithErrors =
    serverErrors === none || steps.total === 1 ? undefined : stepWith(Object.keys(serverErrors), asked)
  // A problem that the server found may be in an earlier step.
  useEffect(() => {
    if (stepWithErrors !== undefined) change({ step: stepWithErrors })
  }, [serverErrors, stepWithErrors, change])

  const setValue = useCallback(
    (fieldId: string, value: unknown) => {
      change({ values: { ...draft.values, [fieldId]: value }, step: draft.step })
      setState((before) =>
        before.problems[fieldId] ? { ...before, problems: without(before.problems, fieldId) } : before,
      )
    },
    [draft, change],
  )
  const goTo = useCallback(
    (step: number) => {
      change({ step })
      setState((before) => ({ ...before, problems: none, moves: before.moves + 1 }))
    },
    [change],
  )
  const submit = useCallback(() => {
    if (!view.canAnswer) return
    // Values of fields that are no longer asked are not sent, even if they were typed before.
    const input = Object.fromEntries(asked.map(({ id }) => [id, draft.values[id]]))
    const checked = validateInput(fields, input, LOCAL)
    const found = checked.ok ? {} : checked.problems
    const here = steps.groups.flatMap((group) => group.fields.map(({ id }) => id))
    const counted = steps.isLast ? found : Object.fromEntries(Object.entries(found).filter(([id]) => here.includes(id)))
    const wrong = Object.keys(counted)
    const problems = wrong.length === 0 ? none : sentences(counted, messages, locale)
    setState((before) => ({ ...before, problems, refusals: before.refusals + (wrong.length === 0 ? 0 : 1) }))
    if (wrong.length > 0 && steps.total > 1) change({ step: stepWith(wrong, asked) ?? steps.index })
    if (wrong.length === 0 && !steps.isLast) return goTo(steps.index + 1)
    if (!checked.ok || !request) return
    // The digest of the rendered question, which may be older than the one in the client.
    respond({ action: 'submit', shownDigest: shownDigest(request), input: { ...checked.value } })
  }, [request, view.canAnswer, fields, asked, steps, draft, messages, locale, respond, change, goTo])
  return useMemo(
    () => ({
      ...{ fields, asked, steps, goTo, setValue, submit, values: draft.values },
      ...{ problems: state.problems, refusals: state.refusals, moves: state.moves },
    }),
    [fields, asked, steps, goTo, draft, state, setValue, submit],
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

/** Returns the values of the previous question that this one still asks for. */
function ofFields(values: Draft['values'] | undefined, fields: readonly FieldSpec[]): Draft['values'] {
  const known = new Set(fields.map(({ id }) => id))
  return Object.fromEntries(Object.entries(values ?? {}).filter(([id]) => known.has(id)))
}
