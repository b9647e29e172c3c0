import { say } from '@holdpoint/core/internal'
import { shownDigest } from '@holdpoint/core/wire'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { isFocusNowhere } from '../base/question-in.ts'
import { useArming } from '../card/behavior/use-arming.ts'
import { HoldpointContext } from '../settings/context.ts'
import { usePageWords } from '../settings/use-page-words.ts'
import { useSettings } from '../settings/use-settings.ts'
import { nameText } from '../wording/escape.ts'
import { Text } from '../wording/text.tsx'
import type { Row, Similar } from './rows/rows.ts'
import { useSettingsOf } from './rows/use-rows.ts'

type Outcome = 'accepted' | 'conflict' | 'refused' | 'unsent'

/**
 * Lists requests that differ only in their values, with one button that approves each of them. Each answer contains the
 * digest of the listed request, and each request then shows its outcome.
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
  const { messages, announcer, slots } = useSettings()
  const words = usePageWords()
  /** The rows at the time of opening, so that later requests, which the person has not read, are not approved. */
  const [rows] = useState(similar.rows)
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [isSending, setSending] = useState(false)
  const [hint, setHint] = useState('')
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
      <ol className="hp-inbox-batch-list">
        {rows.map((row) => {
          const outcome = outcomes.get(row.key)
          return (
            <li key={row.key} data-outcome={outcome}>
              <Request row={row} />
              <p className="hp-inbox-facts">
                <span className="hp-inbox-fact">
                  <bdi>{row.agent}</bdi>
                </span>
                <span className="hp-inbox-fact">
                  <bdi>{row.chat}</bdi>
                </span>
                {outcome ? <strong className="hp-inbox-outcome">{text[outcome]}</strong> : null}
              </p>
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

/** The question and the exact arguments, drawn by the parts of the card. */
function Request({ row }: { row: Row }) {
  // The list is read as a whole: its questions are not announced as if each had just arrived.
  const settings = { ...useSettingsOf(row), announcer: null }
  return (
    <HoldpointContext.Provider value={settings}>
      <ApprovalDialog.Root interaction={row.interaction} headingLevel={3}>
        <ApprovalDialog.Prompt />
        <ApprovalDialog.Arguments />
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
