import { CodeBlock } from '../../card/elements/code-block.tsx'
import { hostOf } from '../../wording/escape.ts'
import type { PreviewProps } from '../definition/define-preview.tsx'
import type { httpFields } from '../definition/fields.ts'
import { usePreviewWords } from '../definition/words.ts'
import { PreviewRows, textOf } from './rows.tsx'

export default function HttpView({ values }: PreviewProps<typeof httpFields>) {
  const words = usePreviewWords()
  const { method, url, headers, body } = values
  return (
    <>
      <div className="hp-preview-title">
        {method === undefined ? null : <span className="hp-badge">{method}</span>}
        {/* In punycode, so that look-alike letters of another host show. */}
        <bdi dir="ltr">{hostOf(url)}</bdi>
      </div>
      <PreviewRows
        rows={[
          [words.address, textOf(url)],
          ...Object.entries(headers ?? {}).map(([name, value]) => [name, textOf(String(value))] as const),
        ]}
      />
      {body === undefined ? null : (
        <>
          <div className="hp-section-title">{words.body}</div>
          <CodeBlock text={typeof body === 'string' ? body : JSON.stringify(body, null, 2)} />
        </>
      )}
    </>
  )
}
