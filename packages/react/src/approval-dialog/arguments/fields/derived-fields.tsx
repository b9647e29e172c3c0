import { withValue } from '@holdpoint/core/internal/editing'
import { type EditableGroup, problemsOfForm } from '@holdpoint/core/internal/forms'
import { useApproval } from '../approval-context.ts'
import { ProblemLines } from '../json-editor.tsx'
import { ArgumentFields } from './argument-fields.tsx'

export { editableArgs } from '@holdpoint/core/internal/editing'

/** Fields for arguments without a schema, derived from the values: strings, numbers, booleans, lists and groups. */
export function DerivedFields({ form, id }: { form: EditableGroup; id: string }) {
  const { change, argsProblems: problems } = useApproval()
  const own = problemsOfForm(form)
  const others = Object.keys(problems).filter((name) => !own[name] && !form.entries.some(({ key }) => key === name))
  return (
    <>
      <ArgumentFields
        form={form}
        id={id}
        problems={problems}
        change={(path, value) => change({ argsForm: withValue(form, path, value), argsText: null })}
      />
      <ProblemLines id={`${id}problem`} names={others} />
    </>
  )
}
