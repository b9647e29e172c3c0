import { useId } from 'react'
import { onDemand, useOnDemand } from '../../base/on-demand.ts'
import { useCard } from '../../card/elements/card-context.ts'
import { OnDemandNotice } from '../../card/elements/on-demand-notice.tsx'
import { JsonEditor } from './json-editor.tsx'

const editors = /* @__PURE__ */ onDemand(() => import('./argument-editors.tsx'))

/** Changes the arguments in fields. If these cannot be loaded, the arguments are changed as JSON. */
export function ArgumentsEditor() {
  const { request } = useCard()
  const { part, failed, load } = useOnDemand(editors)
  const id = useId()
  if (part && request) return <part.ArgumentEditors request={request} id={id} />
  return failed ? <JsonEditor id={id} /> : <OnDemandNotice failed={failed} load={load} />
}
