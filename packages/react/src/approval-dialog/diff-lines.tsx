import type { DiffHunk } from '@holdpoint/core/internal'
import { useEffect, useState } from 'react'
import { useCard } from '../card/elements/card-context.ts'
import { ISOLATE, POP, visible } from '../wording/escape.ts'

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

/** A hunk as a table: + and − stand there as text, colour only repeats them, and a screen reader hears the words. */
export function DiffLines({ hunk, label }: { hunk: DiffHunk; label: string }) {
  const { messages } = useCard()
  const { ref, scrolls } = useScrolls()
  // What scrolls sideways must be reachable by keyboard; what does not is no stop.
  const reachable = scrolls
    ? { role: 'group', tabIndex: 0, 'aria-label': label.replaceAll(ISOLATE, '').replaceAll(POP, '') }
    : {}
  return (
    <div ref={ref} className="hp-diff-scroll" dir="ltr" {...reachable}>
      <table className="hp-diff-lines">
        <tbody>
          {numberLines(hunk).map(({ sign, text, before, after }, index) => (
            <tr key={index} data-sign={sign === ' ' ? undefined : sign}>
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
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Whether an element has more to show than fits beside each other. */
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
