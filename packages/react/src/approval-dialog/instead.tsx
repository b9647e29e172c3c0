import { useEffect, useRef, useState } from 'react'
import { CardButton } from '../card/elements/button.tsx'
import { useCard } from '../card/elements/card-context.ts'
import { Part, type PartProps } from '../card/elements/part.tsx'
import { visible } from '../wording/escape.ts'
import { useApproval } from './arguments/approval-context.ts'
import { isClosed } from './choices.tsx'
import { WordsField } from './words-field.tsx'

/** Denies with an instruction, which the assistant receives as the reason. An empty field sends no reason. */
export function ApprovalDialogInstead(props: PartProps) {
  const { open, view, respond, request, id, messages } = useCard()
  const { draft, change } = useApproval()
  const [opened, setOpened] = useState(draft.instead !== '')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const wantsFocus = useRef(false)
  useEffect(() => {
    if (opened && wantsFocus.current) field.current?.focus()
    wantsFocus.current = false
  }, [opened])
  if (!open || (isClosed(view) && draft.instead === '')) return null
  const words = draft.instead.trim()
  return (
    <Part slotName="instead" data-open={opened || undefined} {...props}>
      <CardButton
        slotName="instead-toggle"
        variant="quiet"
        aria-expanded={opened}
        aria-controls={id('instead')}
        onPress={() => {
          wantsFocus.current = !opened
          setOpened(!opened)
        }}
      >
        {messages.denyInstead}
      </CardButton>
      <div id={id('instead')} className="hp-instead-body" hidden={!opened}>
        <label className="hp-label" htmlFor={id('instead-words')}>
          {messages.instead}
        </label>
        <WordsField
          ref={field}
          data-slot="instead-input"
          id={id('instead-words')}
          aria-invalid={missing || undefined}
          aria-describedby={missing ? id('instead-missing') : undefined}
          value={draft.instead}
          onWords={(instead) => {
            setMissing(false)
            change({ instead })
          }}
        />
        {missing ? (
          <p className="hp-problem" id={id('instead-missing')}>
            {messages.insteadNeeded}
          </p>
        ) : null}
        <CardButton
          slotName="deny-instead"
          variant="secondary"
          blocked={!view.canAnswer}
          onPress={() => {
            if (words) return respond({ action: 'deny', reason: words })
            setMissing(true)
            field.current?.focus()
          }}
        >
          <bdi>{visible(request?.labels?.deny ?? messages.deny)}</bdi>
        </CardButton>
      </div>
    </Part>
  )
}
