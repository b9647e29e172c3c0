import { useId } from 'react'
import { onDemand, useOnDemand } from '../../base/on-demand.ts'
import { CardButton } from '../../card/elements/button.tsx'
import { useCard } from '../../card/elements/card-context.ts'
import { OnDemandNotice } from '../../card/elements/on-demand-notice.tsx'
import { Field } from '../../field/field.tsx'
import { asJson } from '../../readable/as-json.ts'
import { useApproval } from './approval-context.ts'
import { currentArgs, fitFields, valuesOfArgs } from './edited-args.ts'
import { JsonEditor } from './json-editor.tsx'

const derivedFields = /* @__PURE__ */ onDemand(() => import('./fields/derived-fields.tsx'))

/**
 * Changes the arguments: in the fields of the tool's schema, otherwise in fields that are derived from the values. JSON
 * is one press away, and is what is edited where there are no fields, or where they cannot be loaded.
 */
export function ArgumentsEditor() {
  const { request, messages } = useCard()
  const { draft, change, edited, argsFields, argsProblems: problems } = useApproval()
  const { part, failed, load } = useOnDemand(derivedFields)
  const id = useId()
  if (!request) return null
  const args = currentArgs(request, edited, draft)
  const form = argsFields ? undefined : (draft.argsForm ?? part?.editableArgs(args))
  const values = draft.argsValues ?? valuesOfArgs(request, args)
  const asText = draft.json || failed || (part !== undefined && !argsFields && !form)
  const toggle = (
    <CardButton
      slotName="edit-as"
      variant="quiet"
      blocked={edited.state === 'invalid' && !draft.argsForm}
      onPress={() =>
        change(
          asText
            ? { json: false, argsText: null, ...(argsFields ? { argsValues: values } : { argsForm: form ?? null }) }
            : { json: true, argsText: asJson(args), argsForm: null, argsValues: null },
        )
      }
    >
      {asText ? messages.editAsFields : messages.editAsJson}
    </CardButton>
  )
  const hasFields = argsFields ? fitFields(request, args) : form !== undefined
  if (asText) {
    return (
      <>
        <JsonEditor id={id} />
        {hasFields ? toggle : null}
      </>
    )
  }
  return (
    <>
      {argsFields ? (
        <div className="hp-fields" data-slot="argument-fields">
          {argsFields.map((field) => (
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
      ) : part && form ? (
        <part.DerivedFields
          form={form}
          id={id}
          problems={problems}
          change={(argsForm) => change({ argsForm, argsText: null })}
        />
      ) : (
        <OnDemandNotice failed={false} load={load} />
      )}
      {toggle}
    </>
  )
}
