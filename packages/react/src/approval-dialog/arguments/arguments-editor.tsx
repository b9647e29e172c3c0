import { useId } from 'react'
import { onDemand, useOnDemand } from '../../base/on-demand.ts'
import { useCard } from '../../card/elements/card-context.ts'
import { OnDemandNotice } from '../../card/elements/on-demand-notice.tsx'
import { useApproval } from './approval-context.ts'
import { editorKit } from './editor-kit.ts'
import { JsonEditor } from './json-editor.tsx'

const editors = /* @__PURE__ */ onDemand(() => import('./argument-editors.tsx'))

/** Changes the arguments in fields. If these cannot be loaded, the arguments are changed as JSON. */
export function ArgumentsEditor() {
  const card = useCard()
  const approval = useApproval()
  const { request } = card
  const { part, failed, load } = useOnDemand(editors)
  const id = useId()
  if (part && request) return <part.ArgumentEditors kit={{ ...editorKit, card, approval }} request={request} id={id} />
  return failed ? <JsonEditor id={id} /> : <OnDemandNotice failed={failed} load={load} />
}
