import type { ReactNode } from 'react'
import { useCard } from '../card/elements/card-context.ts'
import { CardPopOut } from '../card/elements/pop-out.tsx'
import { CardFacts } from '../card/facts.tsx'
import { CardActions, CardHeader, CardLoading } from '../card/layout.tsx'
import { CardOutcome } from '../card/outcome.tsx'
import { CardStatus } from '../card/status.tsx'
import { ReadOnlyValues } from '../field/read-only-values.tsx'
import {
  InputFormDecline,
  InputFormDismiss,
  InputFormErrorSummary,
  InputFormFields,
  InputFormForm,
  InputFormKeptDraft,
  InputFormSubmit,
} from './parts.tsx'
import { InputFormRoot, type InputFormRootProps } from './root.tsx'
import { InputFormAnswers, InputFormStep } from './steps.tsx'

/** The props of the complete `InputForm`. To arrange its parts yourself, use `InputForm.Root`. */
export type InputFormProps = Omit<InputFormRootProps, 'children'>

/** The complete card of a form. */
export function FormCard(props: InputFormProps): ReactNode {
  return (
    <InputFormRoot {...props}>
      <CardPopOut role="dialog" focus="input, select, textarea">
        <CardHeader icon="input" />
        <CardLoading />
        <InputFormForm>
          <InputFormErrorSummary />
          <InputFormStep />
          <InputFormAnswers />
          <InputFormFields />
          <CardFacts />
          <CardActions>
            <InputFormDecline />
            <InputFormSubmit />
            <Dismiss />
            <CardStatus />
          </CardActions>
        </InputFormForm>
      </CardPopOut>
      <CardOutcome>
        <Answered />
      </CardOutcome>
      <InputFormKeptDraft />
    </InputFormRoot>
  )
}

/** The third answer needs the application's own words, because users cannot tell "Dismiss" from "Decline". */
function Dismiss() {
  return useCard().request?.labels?.cancel ? <InputFormDismiss /> : null
}

/** Shows the values of an ended form; nothing if it was declined, or if the application does not want them shown. */
function Answered() {
  const { interaction, request } = useCard()
  const values = interaction?.response ? interaction.response.input : interaction?.draft?.answer.input
  if (!request?.inputSchema || !values || request.completedView?.showInputs === false) return null
  return <ReadOnlyValues fields={request.inputSchema.fields} values={values} />
}
