import type { ReadableRow, ReadableValue as Value } from '@holdpoint/core/internal'
import { say } from '@holdpoint/core/internal'

import { type ReactNode, useState } from 'react'
import { CardButton } from '../card/elements/button.tsx'
import { useCard } from '../card/elements/card-context.ts'
import { CodeBlock, cutAt, linesIn } from '../card/elements/code-block.tsx'

const ROWS = 12
const ITEMS = 8

/** Shows one value for a person: text as text, lists as lists, objects as rows. Folded content shows its size. */
export function ReadableValue({ value, changed }: { value: Value; changed?: ReadonlySet<string> }): ReactNode {
  switch (value.kind) {
    case 'group':
      return <Rows rows={value.rows} changed={changed} />
    case 'list':
      return (
        <Folded limit={ITEMS} items={value.items}>
          {(items) => (
            <ul className="hp-items">
              {items.map((item, index) => (
                <li key={index}>
                  <ReadableValue value={item} />
                </li>
              ))}
            </ul>
          )}
        </Folded>
      )
    case 'json':
      return <CodeBlock text={value.text} escaped />
    case 'plain':
      return (
        <data value={value.exact}>
          <bdi>{value.text}</bdi>
        </data>
      )
    default:
      return <LongText text={value.text} block={value.block} />
  }
}

function Rows({ rows, changed }: { rows: readonly ReadableRow[]; changed?: ReadonlySet<string> | undefined }) {
  const { messages } = useCard()
  return (
    <Folded limit={ROWS} items={rows}>
      {(shown) => (
        <dl className="hp-rows">
          {shown.map(({ key, label, exactKey, value }) => (
            <div key={key} data-slot="argument" data-changed={changed?.has(key) || undefined} data-kind={value.kind}>
              <dt>
                <bdi>{label}</bdi>
                {exactKey === undefined ? null : (
                  <>
                    {' '}
                    <code dir="ltr">{exactKey}</code>
                  </>
                )}
                {changed?.has(key) ? <span className="hp-badge">{messages.changedValue}</span> : null}
              </dt>
              <dd>
                <ReadableValue value={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Folded>
  )
}

/** A long text is cut with the number of hidden lines, and can be expanded before the decision. */
function LongText({ text, block }: { text: string; block: boolean }) {
  const { messages } = useCard()
  const [open, setOpen] = useState(false)
  const cut = cutAt(text, { lines: 10, characters: 600 })
  return (
    <>
      <span className="hp-text" data-block={block || undefined} dir="auto">
        {cut === null || open ? text : `${text.slice(0, cut)}…`}
      </span>
      {cut === null ? null : (
        <Expand open={open} onPress={() => setOpen(!open)}>
          {say(messages.showAll, { count: linesIn(text.slice(cut)) })}
        </Expand>
      )}
    </>
  )
}

export function Folded<T>(props: { limit: number; items: readonly T[]; children: (items: readonly T[]) => ReactNode }) {
  const { limit, items, children } = props
  const { messages } = useCard()
  const [open, setOpen] = useState(false)
  // Fewer than three more are shown at once: the button would take as much room.
  const fits = items.length <= limit + 2
  return (
    <>
      {children(fits || open ? items : items.slice(0, limit))}
      {fits ? null : (
        <Expand open={open} onPress={() => setOpen(!open)}>
          {say(messages.showMore, { count: items.length - limit })}
        </Expand>
      )}
    </>
  )
}

function Expand({ open, onPress, children }: { open: boolean; onPress: () => void; children: ReactNode }) {
  const { messages } = useCard()
  return (
    <CardButton slotName="expand" variant="quiet" aria-expanded={open} onPress={onPress}>
      {open ? messages.showLess : children}
    </CardButton>
  )
}
