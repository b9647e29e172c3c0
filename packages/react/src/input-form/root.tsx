import { type ReactNode, useCallback, useId, useMemo } from 'react'
import { CardRoot, type CardRootProps } from '../card/card.tsx'
import { useCard } from '../card/elements/card-context.ts'
import type { Upload } from '../field/values/types.ts'
import { FormContext } from './form-context.ts'
import { useFormState } from './use-form-state.ts'

export interface InputFormRootProps extends CardRootProps {
  /**
   * Uploads a file.
   *
   * @default the client's `upload`
   */
  onUpload?: Upload | undefined
}

/** The frame of a form; its parts go inside. Without parts of your own use `<InputForm>` itself. */
export function InputFormRoot({ children, onUpload, ...props }: InputFormRootProps): ReactNode {
  return (
    <CardRoot {...props} kind="input">
      <FormProvider onUpload={onUpload}>{children}</FormProvider>
    </CardRoot>
  )
}

function FormProvider({ children, onUpload }: { children: ReactNode; onUpload: Upload | undefined }) {
  const { interaction, client } = useCard()
  const state = useFormState()
  const prefix = useId()
  const interactionId = interaction?.interactionId
  const upload = useCallback<Upload>(
    (fieldId, file, keeps) => {
      if (onUpload) return onUpload(fieldId, file, keeps)
      if (!client || interactionId === undefined) return Promise.reject(new Error('There is no client to upload with'))
      return client.upload(interactionId, fieldId, file, keeps)
    },
    [onUpload, client, interactionId],
  )
  const form = useMemo(
    () => ({ ...state, controlId: (fieldId: string) => `${prefix}${fieldId}`, upload }),
    [state, prefix, upload],
  )
  return <FormContext.Provider value={form}>{children}</FormContext.Provider>
}
