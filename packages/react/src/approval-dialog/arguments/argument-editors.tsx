import type { InteractionRequestEvent } from '@holdpoint/core/internal'
import {
  type EditableGroup,
  editableArgs,
  problemsOfForm,
  withValue,
  writtenArgs,
} from '@holdpoint/core/internal/editing'
import { CardButton } from '../../card/elements/button.tsx'
import { useCard } from '../../card/elements/card-context.ts'
import { Field } from '../../field/field.tsx'
import { asJson } from '../../readable/as-json.ts'
import { useApproval } from './approval-context.ts'
import { ArgumentFields } from './argument-fields.tsx'
import { editedArgs, valuesOfArgs } from './edited-args.ts'
import { JsonEditor, ProblemLines } from './json-editor.tsx'

interface Props {
  request: InteractionRequestEvent
  id: string
}

/**
 * Changes the arguments: in the fields of the tool's schema, otherwise in fields that are derived from the values. JSON
 * is one press away, and is what is edited where there are no fields.
 */
export function ArgumentEditors({ request, id }: Props) {
  const { messages } = useCard()
  const { draft, change, edited, argsFields } = useApproval()
  const args = edited.state === 'edited' ? edited.args : request.args
  const form = argsFields ? undefined : (draft.argsForm ?? editableArgs(args))
  const text = draft.json || !(argsFields || form)
  const values = draft.argsValues ?? valuesOfArgs(request, args)
  /** Fields of a schema that cannot show all of the JSON would lose the rest. */
  const fits = () => {
    const shown = editedArgs(request, { ...draft, argsText: null, argsProblems: null, argsValues: values }, messages)
    return shown.state === edited.state && asJson(shown) === asJson(edited)
  }
  return (
    <>
      {text ? (
        <JsonEditor id={id} />
      ) : argsFields ? (
        <SchemaFields id={id} values={values} />
      ) : form ? (
        <DerivedFields id={id} form={form} />
      ) : null}
      {text && !(argsFields ? fits() : form) ? null : (
        <CardButton
          slotName="edit-as"
          variant="quiet"
          blocked={edited.state === 'invalid' && !draft.argsForm}
          onPress={() =>
            change(
              text
                ? { json: false, ...(argsFields && { argsText: null, argsValues: values }) }
                : {
                    json: true,
                    argsText: draft.argsText ?? asJson(args),
                    ...{ argsForm: null, argsProblems: null, argsValues: null },
                  },
            )
          }
        >
          {text ? messages.editAsFields : messages.editAsJson}
        </CardButton>
      )}
    </>
  )
}

function SchemaFields({ id, values }: { id: string; values: Readonly<Record<string, unknown>> }) {
  const { change, argsFields, argsProblems: problems } = useApproval()
  return (
    <div className="hp-fields" data-slot="argument-fields">
      {argsFields?.map((field) => (
        <Field
          key={field.id}
          field={field}
          controlId={`${id}${field.id}`}
          value={values[field.id]}
          problems={problems[field.id]}
          onChange={(value) => change({ argsValues: { ...values, [field.id]: value }, argsText: null })}
        />
      ))}
    </div>
  )
}

/** Fields for arguments without a schema, derived from the values: strings, numbers, booleans, lists and groups. */
function DerivedFields({ id, form }: { id: string; form: EditableGroup }) {
  const { draft, change, argsProblems: problems } = useApproval()
  const own = draft.argsProblems ?? {}
  const others = Object.entries(problems).filter(
    ([name]) => !own[name] && !form.entries.some(({ key }) => key === name),
  )
  return (
    <>
      <ArgumentFields
        form={form}
        id={id}
        problems={problems}
        change={(path, value) => {
          const argsForm = withValue(form, path, value)
          const found = problemsOfForm(argsForm)
          change({
            ...{ argsForm, argsText: asJson(writtenArgs(argsForm)) },
            argsProblems: Object.keys(found).length > 0 ? found : null,
          })
        }}
      />
      <ProblemLines id={`${id}problem`} problems={Object.fromEntries(others)} />
    </>
  )
}
