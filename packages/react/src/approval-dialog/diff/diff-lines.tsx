import { type DiffHunk, say } from '@holdpoint/core/internal'
import { Fragment, useEffect, useMemo, useState } from 'react'
import { CardButton } from '../../card/elements/button.tsx'
import { useCard } from '../../card/elements/card-context.ts'
import { ISOLATE, POP, visible } from '../../wording/escape.ts'
import { piecesOf } from './folds.ts'

interface Line {
  sign: '+' | '−' | ' '
  text: string
  before: number | null
  after: number | null
}

/** Lines with their numbers, before and after. */
export function numberLines({ lines, oldStart, newStart }: DiffHunk): Line[] {
  let before = oldStart
  let after = newStart
  return lines.map((line) => {
    const text = visible(line.slice(1))
    if (line.startsWith('+')) return { sign: '+', text, before: null, after: after++ }
    if (line.startsWith('-')) return { sign: '−', text, before: before++, after: null }
    return { sign: ' ', text, before: before++, after: after++ }
  })
}

/** A hunk as a table: + and − are text, color only repeats them, and a screen reader reads the words. */
export function DiffLines({ hunk, label }: { hunk: DiffHunk; label: string }) {
  const { messages } = useCard()
  const { ref, scrolls } = useScrolls()
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const lines = useMemo(() => numberLines(hunk), [hunk])
  const pieces = useMemo(() => piecesOf(lines.map(({ sign }) => sign)), [lines])
  const toggle = (at: number) =>
    setOpened((before) => new Set(before.has(at) ? [...before].filter((one) => one !== at) : [...before, at]))
  // A region that scrolls sideways must be reachable by keyboard. Other regions are no tab stops.
  const reachable = scrolls
    ? { role: 'group', tabIndex: 0, 'aria-label': label.replaceAll(ISOLATE, '').replaceAll(POP, '') }
    : {}
  return (
    <div ref={ref} className="hp-diff-scroll" dir="ltr" {...reachable}>
      <table className="hp-diff-lines">
        <tbody>
          {pieces.map(({ from, to, fold }) => (
            <Fragment key={from}>
              {fold ? (
                <FoldRow
                  text={say(fold === 'rest' ? messages.showAll : messages.showUnchanged, { count: to - from })}
                  open={opened.has(from)}
                  onToggle={() => toggle(from)}
                />
              ) : null}
              {fold && !opened.has(from)
                ? null
                : lines.slice(from, to).map((line, index) => <LineRow key={index} {...line} />)}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function LineRow({ sign, text, before, after }: Line) {
  const { messages } = useCard()
  return (
    <tr data-sign={sign === ' ' ? undefined : sign}>
      <td className="hp-line-number">{before}</td>
      <td className="hp-line-number">{after}</td>
      <td className="hp-line-sign">
        <span aria-hidden="true">{sign}</span>
        {sign === ' ' ? null : (
          <span className="hp-hidden">{sign === '+' ? messages.lineAdded : messages.lineRemoved}</span>
        )}
      </td>
      <td className="hp-line-text">{text}</td>
    </tr>
  )
}

/** Above the lines that it shows, so that it keeps its place and the focus. */
function FoldRow({ text, open, onToggle }: { text: string; open: boolean; onToggle: () => void }) {
  const { messages } = useCard()
  return (
    <tr>
      <td colSpan={4}>
        <CardButton slotName="expand" variant="quiet" aria-expanded={open} onPress={onToggle}>
          {open ? messages.showLess : text}
        </CardButton>
      </td>
    </tr>
  )
}

/** Returns whether the content of an element is wider than the element. */
function useScrolls() {
  const [element, ref] = useState<HTMLElement | null>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    if (!element) return
    const observer = new ResizeObserver(() => setScrolls(element.scrollWidth > element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return { ref, scrolls }
}
