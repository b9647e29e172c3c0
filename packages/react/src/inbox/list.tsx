import { say } from '@holdpoint/core/internal'
import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { usePageWords } from '../settings/use-page-words.ts'
import { ListRow } from './list-row.tsx'
import type { Line, Row } from './rows/rows.ts'
import type { HeldAnswers } from './use-held-answers.ts'

/** The assumed height of a line that is not measured yet. */
const LINE_PX = 60

/**
 * The questions as a list with one tab stop. Arrow keys, J and K, Home and End move the selection, Enter opens it. Only
 * the lines in view, and the selected one, are in the document.
 */
export function List({
  lines,
  selected,
  now,
  held,
  onSelect,
  onOpen,
}: {
  lines: readonly Line[]
  selected: string | undefined
  now: number | null
  held: HeldAnswers
  onSelect: (row: Row) => void
  onOpen: (row: Row) => void
}): ReactNode {
  const words = usePageWords()
  const prefix = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = lines.flatMap((line) => (line.type === 'row' ? [line.row] : []))
  const at = lines.findIndex((line) => line.type === 'row' && line.row.key === selected)
  const place = rows.findIndex(({ key }) => key === selected)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => keyOfLine(lines[index]),
    overscan: 6,
    // The list is as tall as its rows: a size that is reported and changed in the same frame is an error of the page.
    useAnimationFrameWithResizeObserver: true,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return at < 0 || shown.includes(at) ? shown : [...shown, at].sort((one, other) => one - other)
    },
  })
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at)
    // Only when the selection moves: rows that come and go move nothing.
  }, [selected])

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey } = event
    // With another key held, a letter is a command of the browser or of a screen reader.
    const next = altKey || ctrlKey || metaKey ? undefined : nextPlace(key, place, rows.length)
    if (next !== undefined) {
      event.preventDefault()
      if (rows[next]) onSelect(rows[next])
    } else if (key === 'Enter' && !event.repeat && rows[place]) {
      event.preventDefault()
      onOpen(rows[place])
    }
  }
  // A strict style-src refuses style attributes in the HTML of a server, where no time is known.
  const height = now === null ? {} : { style: { blockSize: virtual.getTotalSize() } }
  const option = (key: string) => `${prefix}${key}`
  const draw = ({ index, start, key }: VirtualItem) => {
    const line = lines[index]
    if (!line) return null
    const measured = { 'data-index': index, style: { insetBlockStart: start } }
    return line.type === 'heading' ? (
      <div key={String(key)} ref={virtual.measureElement} {...measured} className="hp-inbox-group" aria-hidden="true">
        <bdi>{line.text}</bdi> <span className="hp-inbox-count">{line.count}</span>
      </div>
    ) : (
      <ListRow
        key={String(key)}
        {...measured}
        measureRef={virtual.measureElement}
        row={line.row}
        id={option(line.row.key)}
        now={now}
        held={held.find(line.row.key)}
        isSelected={line.row.key === selected}
        place={rows.indexOf(line.row)}
        of={rows.length}
        onPress={() => onOpen(line.row)}
      />
    )
  }
  return (
    // The list has the focus, and names the selected row: rows outside of the view are not in the document.
    <div
      ref={scroller}
      className="hp-inbox-list"
      data-slot="inbox-list"
      role="listbox"
      tabIndex={0}
      aria-label={say(words.inboxList, { count: rows.length })}
      aria-activedescendant={selected !== undefined && at >= 0 ? option(selected) : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className="hp-inbox-lines" {...height}>
        {inGroups(virtual.getVirtualItems(), lines).map(({ heading, items }) =>
          heading ? (
            // A list names its groups. The line that is seen as the heading may be out of the document.
            // biome-ignore lint/a11y/useSemanticElements: no element of HTML is a group of a listbox
            <div key={heading.text} role="group" aria-label={`${heading.text}, ${heading.count}`}>
              {items.map(draw)}
            </div>
          ) : (
            items.map(draw)
          ),
        )}
      </div>
    </div>
  )
}

type Heading = Extract<Line, { type: 'heading' }>

interface Group {
  heading: Heading | undefined
  items: VirtualItem[]
}

/** Returns the drawn lines by group, in their order. Without groups they are one, which has no heading. */
function inGroups(items: readonly VirtualItem[], lines: readonly Line[]): Group[] {
  const groups: Group[] = []
  for (const item of items) {
    const heading = lines.slice(0, item.index + 1).findLast(isHeading)
    const last = groups.at(-1)
    if (last && last.heading === heading) last.items.push(item)
    else groups.push({ heading, items: [item] })
  }
  return groups
}

const isHeading = (line: Line): line is Heading => line.type === 'heading'

const keyOfLine = (line: Line | undefined) => (line?.type === 'row' ? line.row.key : `group ${line?.text}`)

function nextPlace(key: string, place: number, count: number): number | undefined {
  if (key === 'ArrowDown' || key === 'j') return Math.min(place + 1, count - 1)
  if (key === 'ArrowUp' || key === 'k') return Math.max(place - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}
