import { ReadableValue } from '../../readable/readable-value.tsx'
import type { PreviewProps } from '../definition/define-preview.tsx'
import type { emailFields } from '../definition/fields.ts'
import { usePreviewWords } from '../definition/words.ts'
import { PreviewRows, textOf, textsOf } from './rows.tsx'

export default function EmailView({ values }: PreviewProps<typeof emailFields>) {
  const words = usePreviewWords()
  const { from, to, cc, bcc, replyTo, subject, body, attachments } = values
  return (
    <>
      <PreviewRows
        rows={[
          [words.from, from && textOf(from)],
          [words.to, textsOf(to)],
          [words.cc, cc && textsOf(cc)],
          [words.bcc, bcc && textsOf(bcc)],
          [words.replyTo, replyTo && textsOf(replyTo)],
          [words.subject, subject && textOf(subject)],
          [words.attachments, attachments && textsOf(attachments)],
        ]}
      />
      <div className="hp-preview-body">
        <ReadableValue value={{ kind: 'text', text: body, block: true }} />
      </div>
    </>
  )
}
