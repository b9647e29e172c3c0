import type { Answer, Interaction } from '@holdpoint/core'
import { type HTMLAttributes, type ReactNode, useCallback, useEffect, useId, useMemo, useState } from 'react'
import { createDrafts } from '../base/drafts.ts'
import type { SlotName } from '../base/slots.ts'
import { useSettings } from '../settings/use-settings.ts'
import { infoOf, toolNameOf } from '../wording/names.ts'
import { authOf, isTitled, questionOf } from '../wording/question-text.ts'
import { useAnnounce } from './behavior/use-announce.ts'
import { useDelivery } from './behavior/use-delivery.ts'
import { useFocusKeeper } from './behavior/use-focus-keeper.ts'
import { useSettling } from './behavior/use-settling.ts'
import { type Card, CardContext, type CardProps } from './elements/card-context.ts'
import { Part } from './elements/part.tsx'
import { endedUnanswered, isOver, useView } from './elements/use-view.ts'

export interface CardRootProps extends CardProps, Omit<HTMLAttributes<HTMLElement>, 'onExit'> {
  children?: ReactNode
}

/** The frame of every card: a named group in the flow of the chat. It takes no focus and moves nothing. */
export function CardRoot(props: CardRootProps & { kind: string }) {
  const { interaction: given, kind, interactive, mayAnswer, connection, callStatus, children, ...rest } = props
  const { onRespond, onRetry, onExtend, onCancelRun, headingLevel = 3, toolTitle, ...others } = rest
  const { classNames, slots, portalContainer, ...attributes } = others
  const settings = useSettings()
  const { dir, lang } = settings
  const drafts = settings.drafts?.(createDrafts) ?? null
  const delivery = useDelivery(given, { onRespond, onRetry, onExtend, onCancelRun })
  const { interaction, holds } = delivery
  const interactionId = interaction?.interactionId
  const seen = useSettling(interactionId, useView(interaction, { interactive, mayAnswer, connection, callStatus }))
  const view = useMemo(() => (holds && seen.canAnswer ? { ...seen, canAnswer: false } : seen), [seen, holds])
  const [PopOutView, setPopOutView] = useState<Card['PopOutView']>(null)
  const closePopOut = useCallback(() => setPopOutView(null), [])
  const prefix = useId()
  const over = isOver(view.state)
  // Also if it was loaded only now, because an ended question has no larger view.
  if (over && PopOutView) setPopOutView(null)
  const { ref, onFocus, onBlur, focusNext } = useFocusKeeper(over)
  useAnnounce(interaction, view, delivery, toolTitle)
  useEffect(() => {
    if (!over || interactionId === undefined) return
    if (endedUnanswered(view.state)) drafts?.retire(interactionId)
    else drafts?.forget(interactionId)
  }, [over, view.state, interactionId, drafts])

  const card = useMemo<Card>(() => {
    const back = () => focusNext(slotOfSending(delivery) ?? 'prompt')
    return {
      ...settings,
      drafts,
      interaction,
      request: interaction && questionOf(interaction),
      view,
      tool: toolOf(interaction, settings.tools, toolTitle),
      over,
      open: interaction !== undefined && !over,
      id: (part) => `${prefix}${part}`,
      labelledBy: `${prefix}${nameOf(interaction, over)}`,
      describedBy: describedBy(interaction, prefix),
      headingLevel,
      classNames: { ...settings.classNames, ...classNames },
      slots: { ...settings.slots, ...slots },
      portalContainer: portalContainer ?? settings.portalContainer,
      PopOutView,
      openPopOut: (View) => setPopOutView(() => View),
      closePopOut,
      respond: delivery.respond,
      unsent: delivery.unsent,
      action: delivery.action,
      sending: delivery.isSending ? slotOfSending(delivery) : undefined,
      retry() {
        back()
        delivery.retry()
      },
      change() {
        back()
        delivery.change()
      },
      extend: delivery.extend,
      cancelRun: delivery.cancelRun,
    }
  }, [
    settings,
    drafts,
    interaction,
    view,
    over,
    prefix,
    headingLevel,
    toolTitle,
    classNames,
    slots,
    portalContainer,
    PopOutView,
    closePopOut,
    delivery,
    focusNext,
  ])
  return (
    <CardContext.Provider value={card}>
      <Part
        ref={ref}
        as="section"
        slotName="card"
        role="group"
        aria-labelledby={card.labelledBy}
        aria-describedby={over ? undefined : card.describedBy}
        aria-busy={view.state === 'loading' || delivery.isSending || undefined}
        dir={dir}
        lang={lang}
        data-kind={kind}
        data-interaction-id={interactionId}
        {...attributes}
        onFocus={onFocus}
        onBlur={onBlur}
      >
        {children}
      </Part>
    </CardContext.Provider>
  )
}

/** Returns the id of the part whose text names a card: its question, or its line after the end. */
const nameOf = (interaction: Interaction | undefined, over: boolean) => (!over && interaction ? 'prompt' : 'title')

/** The parts whose texts describe a card in addition to its name: its kind, and the consequences of an approval. */
function describedBy(interaction: Interaction | undefined, prefix: string): string | undefined {
  if (!interaction) return undefined
  const { risk, facts } = questionOf(interaction) ?? {}
  const follows = (risk && interaction.kind === 'approval') || facts?.length ? 'facts' : ''
  const kind = isTitled(interaction) ? (authOf(interaction)?.reason ? 'about' : '') : 'title'
  const parts = [follows, kind].filter(Boolean)
  return parts.map((part) => `${prefix}${part}`).join(' ') || undefined
}

function toolOf(interaction: Interaction | undefined, tools: Card['tools'], title: string | undefined): Card['tool'] {
  const id = interaction?.toolName ?? ''
  return { ...infoOf(tools, id), name: toolNameOf(id, { tools, toolTitle: title }) }
}

const slots: Readonly<Record<string, SlotName>> = {
  approve: 'approve',
  deny: 'deny',
  submit: 'submit',
  decline: 'decline',
  cancel: 'dismiss',
}

/** Returns the button of the answer or action that is being sent or could not be sent. */
function slotOfSending({ action, answer }: { action: Card['action']; answer: Answer | undefined }) {
  return action?.name ?? (answer && slots[answer.action])
}
