import { readableArgs } from '@holdpoint/core/readable'
import { useCard } from '../../card/elements/card-context.ts'
import { ReadableValue } from '../../readable/readable-value.tsx'
import type { PreviewProps } from '../definition/define-preview.tsx'
import type { paymentFields } from '../definition/fields.ts'
import { usePreviewWords } from '../definition/words.ts'
import { PreviewRows, textOf } from './rows.tsx'

export default function PaymentView({ values, names }: PreviewProps<typeof paymentFields>) {
  const words = usePreviewWords()
  const { locale } = useCard()
  const { amount, currency, recipient, account, from, reference, date } = values
  // By the argument's own name: an amount in cents has it in its name.
  const money = readableArgs({ [names.amount ?? 'amount']: amount, currency }, { locale })
  const rows = money.kind === 'group' ? money.rows : []
  return (
    <>
      <div className="hp-preview-title">
        {rows.map(({ key, value }) => (
          <ReadableValue key={key} value={value} />
        ))}
      </div>
      <PreviewRows
        rows={[
          [words.to, textOf(recipient)],
          [words.account, account && textOf(account)],
          [words.from, from && textOf(from)],
          [words.reference, reference && textOf(reference)],
          [words.date, date && readableArgs(date, { locale })],
        ]}
      />
    </>
  )
}
