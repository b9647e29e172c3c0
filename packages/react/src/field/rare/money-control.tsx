import { useCard } from '../../card/elements/card-context.ts'
import { NumberControl } from '../plain/number-control.tsx'
import type { ControlProps } from '../values/types.ts'

/** An amount: a number as the reader writes it, beside its currency. */
export function MoneyControl(props: ControlProps) {
  const { locale } = useCard()
  const { field } = props
  const currency = field.type === 'money' ? field.currency : ''
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(0)
  const symbol = parts.find(({ type }) => type === 'currency')?.value ?? currency
  return <NumberControl {...props} unit={symbol} />
}
