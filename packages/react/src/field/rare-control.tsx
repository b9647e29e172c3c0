import { useEffect, useRef } from 'react'
import { onDemand, useOnDemand } from '../base/on-demand.ts'
import { OnDemandNotice } from '../card/elements/on-demand-notice.tsx'
import { ChoiceControl } from './plain/choice-control.tsx'
import { NumberControl } from './plain/number-control.tsx'
import { TextControl } from './plain/text-control.tsx'
import { hasOther, isSearched } from './values/options.ts'
import type { ControlProps } from './values/types.ts'

const rareControls = /* @__PURE__ */ onDemand(() => import('./rare/controls.ts'))

/** Controls that are not in the first bundle, and what can replace them. */
const FALLBACKS: Readonly<Record<string, typeof TextControl | null>> = {
  ...{ file: null, secret: TextControl },
  ...{ money: NumberControl, phone: TextControl, daterange: null },
  ...{ search: ChoiceControl, filter: ChoiceControl, other: ChoiceControl },
}

/** The name of the control of a rare field; undefined if its control is in the first bundle. */
export function rareControlOf(field: ControlProps['field']): string | undefined {
  const options = field.type === 'select' || field.type === 'radio' || field.type === 'multiselect'
  if (!options) return Object.hasOwn(FALLBACKS, field.type) ? field.type : undefined
  if (isSearched(field)) return field.type === 'multiselect' ? 'filter' : 'search'
  return hasOther(field) ? 'other' : undefined
}

/**
 * The control of a rare field type. Its place is kept while it is loaded, and the form around it works meanwhile. If it
 * cannot be loaded, the field is a line of text where that can be answered.
 */
export function RareControl({ control, ...props }: ControlProps & { control: string }) {
  const { controlId } = props
  const { part, failed, load } = useOnDemand(rareControls)
  const pressed = useRef(false)
  useEffect(() => {
    // The focused button was removed.
    if (part && pressed.current) document.getElementById(controlId)?.focus()
    pressed.current = false
  }, [part, controlId])
  const Control = part?.controls[control]
  if (Control) return <Control {...props} />
  const Fallback = FALLBACKS[control]
  if (failed && Fallback) return <Fallback {...props} />
  const again = () => {
    pressed.current = true
    load()
  }
  return <OnDemandNotice id={controlId} failed={failed} load={again} />
}
