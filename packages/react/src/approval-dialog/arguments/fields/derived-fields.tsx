import { withValue } from '@holdpoint/core/internal/editing'
import { type EditableGroup, problemsOfForm } from '@holdpoint/core/internal/forms'
import type { Problems } from '../../../field/values/problems.ts'
import { ArgumentFields } from './argument-fields.tsx'
import { ProblemLines } from './problem-lines.tsx'

export { editableArgs } from '@holdpoint/core/internal/editing'

interface DerivedFieldsProps {
  form: EditableGroup
  id: string
  problems: Problems
  change: (form: EditableGroup) => void
}

/** Fields for arguments without a schema, derived from the values: strings, numbers, booleans, lists and groups. */
export function DerivedFields({ form, id, problems, change }: DerivedFieldsProps) {
  const own = problemsOfForm(form)
  const others = Object.entries(problems).filter(
    ([name]) => !own[name] && !form.entries.some(({ key }) => key === name),
  )
  return (
    <>
      <ArgumentFields
        form={form}
        id={id}
        problems={problems}
        change={(path, value) => change(withValue(form, path, value))}
      />
      <ProblemLines id={`${id}problem`} problems={Object.fromEntries(others)} />
    </>
  )
}
