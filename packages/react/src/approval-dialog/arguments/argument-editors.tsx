import type { InteractionRequestEvent } from '@holdpoint/core/internal'
import {
  type EditableGroup,
  editableArgs,
  problemsOfForm,
  withValue,
  writtenArgs,
} from '@holdpoint/core/internal/editing'
import { ArgumentFields } from './argument-fields.tsx'
import type { EditorKit } from './editor-kit.ts'

interface Props {
  request: InteractionRequestEvent
  id: string
  kit: EditorKit
}

/**
 * Changes the arguments: in the fields of the tool's schema, otherwise in fields that are derived from the values. JSON
 * is one press away, and is what is edited where there are no fields.
 */
export function ArgumentEditors({ kit, request, id }: Props) {
  const { CardButton, JsonEditor, asJson, editedArgs, valuesOfArgs } = kit
  const { messages } = kit.card
  const { draft, change, edited, argsFields } = kit.approval
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
        <SchemaFields kit={kit} id={id} values={values} />
      ) : form ? (
        <DerivedFields kit={kit} id={id} form={form} />
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

function SchemaFields({ kit, id, values }: { kit: EditorKit; id: string; values: Readonly<Record<string, unknown>> }) {
  const { Field, approval } = kit
  const { change, argsFields, argsProblems: problems } = approval
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
function DerivedFields({ kit, id, form }: { kit: EditorKit; id: string; form: EditableGroup }) {
  const { ProblemLines, approval, asJson } = kit
  const { draft, change, argsProblems: problems } = approval
  const own = draft.argsProblems ?? {}
  const others = Object.entries(problems).filter(
    ([name]) => !own[name] && !form.entries.some(({ key }) => key === name),
  )
  return (
    <>
      <ArgumentFields
        kit={kit}
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
