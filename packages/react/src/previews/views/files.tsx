import { say } from '@holdpoint/core/internal'
import { useCard } from '../../card/elements/card-context.ts'
import { Folded } from '../../readable/readable-value.tsx'
import type { PreviewProps } from '../definition/define-preview.tsx'
import type { FileEntry, filesFields } from '../definition/fields.ts'
import { usePreviewWords } from '../definition/words.ts'
import { PreviewRows, textOf } from './rows.tsx'

export default function FilesView({ values }: PreviewProps<typeof filesFields>) {
  const words = usePreviewWords()
  const { locale, messages } = useCard()
  const { files, folder } = values
  const bytes = new Intl.NumberFormat(locale)
  return (
    <>
      <div className="hp-preview-title">{say(messages.filesChanged, { count: files.length })}</div>
      <PreviewRows rows={[[words.folder, folder && textOf(folder)]]} />
      <Folded limit={8} items={files.map((file): FileEntry => (typeof file === 'string' ? { path: file } : file))}>
        {(shown) => (
          <ul className="hp-items">
            {shown.map(({ path = '', size }, index) => (
              <li key={index}>
                <bdi dir="ltr">
                  <span className="hp-preview-muted">{path.slice(0, lastSlash(path))}</span>
                  {path.slice(lastSlash(path))}
                </bdi>
                {size === undefined ? null : (
                  <span className="hp-preview-muted">
                    {' '}
                    {bytes.format(size)} {words.bytes}
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </Folded>
    </>
  )
}

/** After the last folder; a path that ends with a slash is a folder itself. */
const lastSlash = (path: string) =>
  Math.max(path.lastIndexOf('/', path.length - 2), path.lastIndexOf('\\', path.length - 2)) + 1
