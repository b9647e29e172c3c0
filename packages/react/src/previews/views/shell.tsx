import { CodeBlock } from '../../card/elements/code-block.tsx'
import type { PreviewProps } from '../definition/define-preview.tsx'
import type { shellFields } from '../definition/fields.ts'
import { usePreviewWords } from '../definition/words.ts'
import { PreviewRows, textOf } from './rows.tsx'

/** Quotes a word that a shell would read otherwise, so that it is clear where each argument ends. */
const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)

export default function ShellView({ values }: PreviewProps<typeof shellFields>) {
  const words = usePreviewWords()
  const { command, folder, environment } = values
  return (
    <>
      <CodeBlock text={typeof command === 'string' ? command : command.map(quoted).join(' ')} />
      <PreviewRows
        rows={[
          [words.folder, folder && textOf(folder)],
          ...Object.entries(environment ?? {}).map(([name, value]) => [name, textOf(String(value))] as const),
        ]}
      />
    </>
  )
}
