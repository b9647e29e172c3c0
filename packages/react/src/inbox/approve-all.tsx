import { say } from '@holdpoint/core/internal'
import { shownDigest } from '@holdpoint/core/wire'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { ArgumentsContent } from '../approval-dialog/arguments/arguments-content.tsx'
import { isFocusNowhere } from '../base/question-in.ts'
import { useArming } from '../card/behavior/use-arming.ts'
import { HoldpointContext } from '../settings/context.ts'
import { usePageWords } from '../settings/use-page-words.ts'
import { useSettings } from '../settings/use-settings.ts'
import { nameText } from '../wording/escape.ts'
import { infoOf } from '../wording/names.ts'
import { questionOf } from '../wording/question-text.ts'
import { Text } from '../wording/text.tsx'
import type { Row, Similar } from './rows/rows.ts'
import { useSettingsOf } from './rows/use-rows.ts'

type Outcome = 'accepted' | 'conflict' | 'refused' | 'unsent'

/**
 * Lists requests that differ only in their values, with one button that approves each of them. The agent, the chat, the
 * names of their arguments, and the button for the exact requests are stated once. Each answer contains the digest of the
 * listed request, and each request then shows its outcome.
 */
export function ApproveAll({
  similar,
  onClose,
  onAnswered,
}: {
  similar: Similar
  onClose: () => void
  onAnswered: (() => void) | undefined
}): ReactNode {
  const { messages, announcer, slots, renderers } = useSettings()
  const words = usePageWords()
  /** The rows at the time of opening, so that later requests, which the person has not read, are not approved. */
  const [rows] = useState(similar.rows)
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [isSending, setSending] = useState(false)
  const [hint, setHint] = useState('')
  const [isExact, setExact] = useState(false)
  const isBusy = useRef(false)
  const open = rows.filter(({ key }) => !outcomes.has(key) || outcomes.get(key) === 'unsent')
  const { ref, framed, permits } = useArming(open.length > 0)
  const Button = slots.Button ?? 'button'
  const tool = nameText(similar.tool)

  const send = async () => {
    if (isBusy.current) return
    isBusy.current = true
    setSending(true)
    setHint('')
    const found = await approveEach(open)
    const all = new Map([...outcomes, ...found])
    setOutcomes(all)
    setSending(false)
    isBusy.current = false
    const count = [...all.values()].filter((outcome) => outcome === 'accepted').length
    announcer?.announce(say(words.approvedOf, { count, total: rows.length }))
    onAnswered?.()
  }
  const text = {
    ...{ accepted: words.batchAccepted, conflict: words.batchConflict },
    ...{ refused: words.batchRefused, unsent: words.batchUnsent },
  }
  const count = open.length
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The focused button was removed with the last request.
    if (outcomes.size > 0 && count === 0 && isFocusNowhere()) close.current?.focus()
  }, [outcomes, count])
  const chats = new Set(rows.map(({ chat }) => chat))
  const hasColumns = !isExact && !infoOf(renderers, rows[0]?.interaction.toolName ?? '') && rows.every(fitsInColumns)
  const approved = [...outcomes.values()].filter((outcome) => outcome === 'accepted').length
  return (
    <section
      className="hp-inbox-batch"
      data-slot="inbox-batch"
      aria-label={say(words.similar, { count: rows.length, tool })}
    >
      <h2 className="hp-inbox-batch-title" tabIndex={-1} data-slot="prompt">
        <Text>{say(words.approveAllTitle, { count: rows.length, tool })}</Text>
      </h2>
      <div className="hp-inbox-batch-shared">
        <p className="hp-inbox-facts">
          <span className="hp-inbox-fact">
            <bdi>{rows[0]?.agent}</bdi>
          </span>
          {chats.size === 1 ? (
            <span className="hp-inbox-fact">
              <bdi>{rows[0]?.chat}</bdi>
            </span>
          ) : null}
        </p>
        {rows.some(hasArgs) ? (
          <button
            type="button"
            className="hp-button"
            data-variant="quiet"
            data-slot="exact-all"
            aria-pressed={isExact}
            onClick={() => setExact(!isExact)}
          >
            {messages.exactRequest}
          </button>
        ) : null}
      </div>
      <ol className="hp-inbox-batch-list" data-columns={hasColumns || undefined}>
        {rows.map((row) => {
          const outcome = outcomes.get(row.key)
          return (
            <li key={row.key} data-outcome={outcome}>
              <Request row={row} isExact={isExact} />
              {chats.size > 1 || outcome ? (
                <p className="hp-inbox-facts">
                  {chats.size > 1 ? (
                    <span className="hp-inbox-fact">
                      <bdi>{row.chat}</bdi>
                    </span>
                  ) : null}
                  {outcome ? <strong className="hp-inbox-outcome">{text[outcome]}</strong> : null}
                </p>
              ) : null}
            </li>
          )
        })}
      </ol>
      <div className="hp-inbox-batch-actions">
        <Button ref={close} type="button" variant="secondary" className="hp-button" onClick={onClose}>
          {words.close}
        </Button>
        {count > 0 ? (
          <Button
            ref={ref}
            type="button"
            variant="primary"
            className="hp-button"
            data-slot="approve-all"
            data-variant="primary"
            aria-disabled={framed || isSending || undefined}
            data-sending={isSending || undefined}
            onClick={(event) => {
              if (framed || isSending) return
              if (permits(event)) return void send()
              setHint(messages.pressAgain)
              announcer?.announce(messages.pressAgain)
            }}
          >
            {say(outcomes.size > 0 ? words.sendUnsent : words.approveAll, { count })}
          </Button>
        ) : null}
        <p className="hp-note" data-slot="hint">
          {framed
            ? messages.framed
            : outcomes.size > 0
              ? say(words.approvedOf, { count: approved, total: rows.length })
              : hint}
        </p>
      </div>
    </section>
  )
}

const argsOf = ({ interaction }: Row) => questionOf(interaction)?.args
const hasArgs = (row: Row) => argsOf(row) !== undefined

/** At most so many arguments fit side by side. */
const COLUMNS = 3

/** Whether the arguments are a few single values, which read well below one heading each. */
function fitsInColumns(row: Row): boolean {
  const args = argsOf(row)
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return false
  const values = Object.values(args)
  return values.length <= COLUMNS && values.every((value) => typeof value !== 'object' || value === null)
}

/** The question and the exact arguments, drawn by the parts of the card. */
function Request({ row, isExact }: { row: Row; isExact: boolean }) {
  // The list is read as a whole: its questions are not announced as if each had just arrived.
  const settings = { ...useSettingsOf(row), announcer: null }
  return (
    <HoldpointContext.Provider value={settings}>
      <ApprovalDialog.Root interaction={row.interaction} headingLevel={3}>
        <ApprovalDialog.Prompt />
        {hasArgs(row) ? <ArgumentsContent args={argsOf(row)} exact={isExact} /> : null}
      </ApprovalDialog.Root>
    </HoldpointContext.Provider>
  )
}

/** One client for each session; each of their questions has an answer of its own. */
async function approveEach(rows: readonly Row[]): Promise<Map<string, Outcome>> {
  const byClient = new Map<Row['client'], Row[]>()
  for (const row of rows) byClient.set(row.client, [...(byClient.get(row.client) ?? []), row])
  const outcomes = new Map<string, Outcome>()
  const sent = [...byClient].map(async ([client, members]) => {
    const answers = members.map(({ id, interaction }) => ({
      interactionId: id,
      // Of what this list drew, which may be older than what the client holds.
      answer: { action: 'approve' as const, shownDigest: shownDigest(interaction.request) },
    }))
    const found = await client.respondAll(answers)
    for (const [index, { key }] of members.entries()) outcomes.set(key, found[index]!.outcome)
  })
  await Promise.all(sent)
  return outcomes
}
