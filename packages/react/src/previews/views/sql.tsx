import { CodeBlock } from '../../card/elements/code-block.tsx'
import type { PreviewProps } from '../definition/define-preview.tsx'
import type { sqlFields } from '../definition/fields.ts'
import { usePreviewWords } from '../definition/words.ts'
import { PreviewRows, textOf } from './rows.tsx'

const KEYWORDS =
  /('(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/)|\b(select|from|where|insert|into|values|update|set|delete|drop|truncate|alter|create|table|index|join|left|right|inner|outer|on|group|order|by|having|limit|offset|union|all|distinct|returning|with|as|and|or|not|in|is|null|like|between|exists|case|when|then|else|end|grant|revoke|begin|commit|rollback)\b/gi

/** Keywords are bold, except within texts, names and comments. */
function keywords(text: string) {
  const parts: (string | { word: string; at: number })[] = []
  let end = 0
  for (const match of text.matchAll(KEYWORDS)) {
    if (match[2] === undefined) continue
    parts.push(text.slice(end, match.index), { word: match[2], at: match.index })
    end = match.index + match[2].length
  }
  parts.push(text.slice(end))
  return parts.map((part) => (typeof part === 'string' ? part : <b key={part.at}>{part.word}</b>))
}

export default function SqlView({ values }: PreviewProps<typeof sqlFields>) {
  const words = usePreviewWords()
  const { query, database, parameters = [] } = values
  const sign = query.includes('$1') ? '$' : '#'
  return (
    <>
      <CodeBlock text={query} render={keywords} />
      <PreviewRows
        rows={[
          [words.database, database && textOf(database)],
          // As JSON: the text "5" and the number 5 are different parameters.
          ...parameters.map((value, index) => [`${sign}${index + 1}`, textOf(JSON.stringify(value))] as const),
        ]}
      />
    </>
  )
}
