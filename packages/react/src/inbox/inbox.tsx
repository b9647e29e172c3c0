import type { Transport } from '@holdpoint/core'
import { type PageMessages, say } from '@holdpoint/core/internal'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { isFocusNowhere } from '../base/question-in.ts'
import type { InteractionViewProps } from '../interaction-view/interaction-view.tsx'
import { usePageWords } from '../settings/use-page-words.ts'
import { useSettings } from '../settings/use-settings.ts'
import { nameText } from '../wording/escape.ts'
import { Text } from '../wording/text.tsx'
import { useNow } from './age.ts'
import { ApproveAll } from './approve-all.tsx'
import { Detail, focusQuestion } from './detail.tsx'
import { List } from './list.tsx'
import {
  firstViews,
  type Item,
  type ListView,
  linesOf,
  type Place,
  type Row,
  rowsOf,
  type Similar,
  similarOf,
} from './rows/rows.ts'
import { useRows } from './rows/use-rows.ts'
import { Places, Toolbar } from './toolbar.tsx'
import { type HeldAnswers, useHeldAnswers } from './use-held-answers.ts'
import type { Inbox as InboxResult } from './use-inbox.ts'

/** The items of `Inbox`, and how its answers are sent. */
export interface InboxProps {
  /** The result of `useInbox`. */
  items: readonly Item[]
  /** How answers are sent: `sse({ url: '/holdpoint' })`. Nothing is streamed. */
  transport: Transport
  /** Where the conversation of an item is: makes a link to it. */
  hrefOf?: (item: Item) => string
  /** The name of an item's conversation. @default its id */
  chatOf?: (item: Item) => string
  /**
   * The level of each question's heading. The default fits below the page's own first heading.
   *
   * @default 2
   */
  headingLevel?: InteractionViewProps['headingLevel']
  /** The result of `useInboxHistory`: adds a history of settled questions, which is read when the person opens it. */
  history?: Pick<InboxResult, 'items' | 'status' | 'hasMore' | 'loadMore' | 'refresh'>
  hasMore?: boolean
  onMore?: () => void
  /**
   * How long an answer can be undone, in milliseconds: it is sent after that, or as soon as the page is hidden. 0 sends
   * at once.
   *
   * @default 5000
   */
  undoMs?: number
  /** Called after an answer: pass `refresh` of `useInbox`, because one approval can settle other questions too. */
  onAnswered?: () => void
}

/** Long enough to notice a mistake, and short enough not to feel like waiting. */
const UNDO_MS = 5_000

const nothing: ReadonlySet<string> = new Set()

/**
 * Shows the open questions of this person in all sessions, as a list with one tab stop beside the selected question,
 * which can be answered there. Settled questions keep their row until the person hides them.
 *
 * @example
 * const inbox = useInbox({ url: '/holdpoint' })
 * return <Inbox items={inbox.items} transport={transport} hrefOf={({ sessionId }) => `/chat/${sessionId}`} />
 */
export function Inbox(props: InboxProps): ReactNode {
  const {
    items,
    transport,
    hrefOf,
    chatOf,
    history,
    headingLevel = 2,
    hasMore = false,
    onMore,
    undoMs = UNDO_MS,
    onAnswered,
  } = props
  const { messages, classNames, dir, lang } = useSettings()
  const words = usePageWords()
  const all = useRows({ items, settled: history?.items, transport, chatOf })
  const held = useHeldAnswers(undoMs)
  const now = useNow()
  const [place, setPlace] = useState<Place>('waiting')
  const [views, setViews] = useState(firstViews)
  const view = views[place]
  const setView = (next: ListView) => setViews({ ...views, [place]: next })
  const rows = useMemo(() => rowsOf(all, place), [all, place])
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<string>()
  const [batch, setBatch] = useState<Similar>()
  const [pane, setPane] = useState<'list' | 'detail'>('list')
  const main = useRef<HTMLDivElement>(null)
  const detail = useRef<HTMLDivElement>(null)
  const lines = useMemo(
    () => linesOf(rows, view, place === 'history' ? nothing : hidden, now ?? 0),
    [rows, view, place, hidden, now],
  )
  const shown = useMemo(() => lines.flatMap((line) => (line.type === 'row' ? [line.row] : [])), [lines])
  const row = shown.find(({ key }) => key === chosen) ?? shown[0]
  const settled = shown.filter(({ isSettled }) => isSettled)
  const similar = useMemo(() => similarOf(shown), [shown])
  useReportAnswers(all, onAnswered)

  const open = (next: Row) => {
    setBatch(undefined)
    setChosen(next.key)
    setPane('detail')
    focusAfterRender(() => focusQuestion(detail))
  }
  const back = () => {
    setBatch(undefined)
    setPane('list')
    focusAfterRender(() => focusList(main))
  }
  const goTo = (to: Place) => {
    setBatch(undefined)
    setChosen(undefined)
    setPlace(to)
    if (to === 'history') history?.refresh()
  }
  const isFiltered = view.search !== '' || view.show !== 'waiting'
  const more = place === 'history' ? history?.hasMore && history.loadMore : hasMore && onMore
  const noteMore = useFocusAfterMore(Boolean(more), rows.length, main)
  const next = nextWaiting(shown, row, held)
  return (
    <section
      className={`hp-inbox ${classNames.inbox ?? ''}`}
      data-slot="inbox"
      data-pane={pane}
      aria-label={messages.inboxTitle}
      dir={dir}
      lang={lang}
      tabIndex={-1}
    >
      {rows.length === 0 && !history ? (
        <p className="hp-inbox-empty">{messages.inboxEmpty}</p>
      ) : (
        <div className="hp-inbox-panes">
          <div className="hp-inbox-main" ref={main}>
            {history ? <Places place={place} onChange={goTo} /> : null}
            <Toolbar {...{ view, place }} hasHistory={history !== undefined} onChange={setView} />
            {similar.map((one) => (
              <p className="hp-inbox-similar" key={one.key}>
                <Text>{say(words.similar, { count: one.rows.length, tool: nameText(one.tool) })}</Text>
                <button
                  type="button"
                  className="hp-button"
                  data-slot="review-all"
                  onClick={() => {
                    setBatch(one)
                    setPane('detail')
                    focusAfterRender(() => focusQuestion(detail))
                  }}
                >
                  {say(words.reviewAll, { count: one.rows.length })}
                </button>
              </p>
            ))}
            {shown.length > 0 ? (
              <List
                lines={lines}
                selected={row?.key}
                now={now}
                held={held}
                onOpen={open}
                onSelect={({ key }) => {
                  setBatch(undefined)
                  setChosen(key)
                }}
              />
            ) : isFiltered || place === 'waiting' ? (
              <p className="hp-inbox-empty">
                {isFiltered ? words.noMatch : messages.inboxEmpty}{' '}
                {isFiltered ? (
                  <button type="button" className="hp-button" onClick={() => setView(firstViews[place])}>
                    {place === 'history' ? words.showAll : words.clearFilters}
                  </button>
                ) : null}
              </p>
            ) : null}
            <div className="hp-inbox-after">
              {place === 'waiting' && view.show !== 'settled' && settled.length > 0 ? (
                <button
                  type="button"
                  className="hp-button"
                  data-slot="hide-settled"
                  onClick={() => {
                    setHidden(new Set([...hidden, ...settled.map(({ key }) => key)]))
                    focusAfterRender(back)
                  }}
                >
                  {say(words.hideSettled, { count: settled.length })}
                </button>
              ) : null}
              {history ? (
                <p className="hp-inbox-status" role="status">
                  {place === 'history' ? historyText(history.status, rows.length, words) : ''}
                </p>
              ) : null}
              {more ? (
                <button
                  type="button"
                  className="hp-button hp-inbox-more"
                  onClick={() => {
                    noteMore()
                    more()
                  }}
                >
                  {messages.inboxMore}
                </button>
              ) : null}
            </div>
          </div>
          <div className="hp-inbox-detail" data-slot="inbox-detail" ref={detail} tabIndex={-1}>
            <button type="button" className="hp-button hp-inbox-back" data-variant="quiet" onClick={back}>
              {words.backToList}
            </button>
            {batch ? (
              <ApproveAll key={batch.key} similar={batch} onClose={back} onAnswered={onAnswered} />
            ) : row ? (
              <Detail
                row={row}
                pane={detail}
                {...{ hrefOf, headingLevel }}
                held={undoMs > 0 ? held : undefined}
                onStopped={onAnswered}
                onNext={next && (() => open(next))}
              />
            ) : shown.length > 0 ? (
              <p className="hp-inbox-empty">{words.chooseQuestion}</p>
            ) : null}
          </div>
        </div>
      )}
    </section>
  )
}

/** The next question below that waits, else the first. */
function nextWaiting(shown: readonly Row[], row: Row | undefined, held: HeldAnswers): Row | undefined {
  const at = row ? shown.indexOf(row) : -1
  const waits = ({ isSettled, key }: Row) => !isSettled && !held.find(key)
  return shown.slice(at + 1).find(waits) ?? shown.find((other) => other !== row && waits(other))
}

/** Calls back once for each question that is answered here. */
function useReportAnswers(rows: readonly Row[], onAnswered: (() => void) | undefined): void {
  const reported = useRef(new Set<string>())
  useEffect(() => {
    const fresh = rows.filter(({ key, interaction }) => interaction.answeredHere && !reported.current.has(key))
    for (const { key } of fresh) reported.current.add(key)
    if (fresh.length > 0) onAnswered?.()
  }, [rows, onAnswered])
}

/** Returns the state of the history in words: shown below the list, and announced by screen readers. */
function historyText(status: InboxResult['status'], count: number, words: PageMessages): string {
  if (status === 'error') return words.historyFailed
  if (status === 'pending') return words.historyLoading
  return count === 0 ? words.historyEmpty : ''
}

/**
 * Moves focus to the list if the button for more questions is removed after a press. Returns the function to call at a
 * press.
 */
function useFocusAfterMore(hasMore: boolean, count: number, main: RefObject<HTMLElement | null>): () => void {
  const pressed = useRef(false)
  useEffect(() => {
    if (pressed.current && !hasMore && isFocusNowhere()) focusList(main)
    pressed.current = false
  }, [hasMore, count, main])
  return () => {
    pressed.current = true
  }
}

const focusList = (main: RefObject<HTMLElement | null>) =>
  main.current?.querySelector<HTMLElement>('[role="listbox"]')?.focus()

/** Sets the focus after this render, because its target may not exist before. */
const focusAfterRender = (focus: () => void) => void setTimeout(focus)
