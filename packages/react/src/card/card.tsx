import type { Interaction } from '@holdpoint/core'
import { type HTMLAttributes, type ReactNode, useCallback, useEffect, useId, useMemo, useState } from 'react'
import { promptOf, questionOf } from '../shared/request.ts'
import { isOver, useView } from '../shared/use-view.ts'
import { type Card, CardContext, type CardProps } from './card-context.ts'
import { Part } from './part.tsx'
import { useAnnounce } from './use-announce.ts'
import { useFocusReturn } from './use-focus-return.ts'
import { useRespond } from './use-respond.ts'
import { useSettings } from './use-settings.ts'

export interface CardRootProps extends CardProps, Omit<HTMLAttributes<HTMLElement>, 'onExit'> {
  children?: ReactNode
}

/** The frame of every card: a named group in the flow of the chat. It takes no focus and moves nothing. */
export function CardRoot(props: CardRootProps & { kind: string }) {
  const { interaction, kind, interactive, mayAnswer, connection, callStatus, children, ...rest } = props
  const { onRespond, onRetry, onExtend, onCancelRun, classNames, slots, portalContainer, ...attributes } = rest
  const settings = useSettings()
  const { drafts, dir } = settings
  const view = useView(interaction, { interactive, mayAnswer, connection, callStatus })
  const [PopOutView, setPopOutView] = useState<Card['PopOutView']>(null)
  const closePopOut = useCallback(() => setPopOutView(null), [])
  const prefix = useId()
  const over = isOver(view.state)
  // Also when it has only now been loaded: what is over has no larger view.
  if (over && PopOutView) setPopOutView(null)
  const interactionId = interaction?.interactionId
  const { ref, onFocus, onBlur } = useFocusReturn(over)
  const respond = useRespond(interaction, onRespond)
  useAnnounce(interaction, view)
  useEffect(() => {
    if (over && interactionId !== undefined) drafts?.forget(interactionId)
  }, [over, interactionId, drafts])

  const card = useMemo<Card>(() => {
    const { client, announcer, messages } = settings
    const { interactionId = '', runId } = interaction ?? {}
    return {
      ...settings,
      interaction,
      request: interaction && questionOf(interaction),
      view,
      over,
      open: interaction !== undefined && !over,
      id: (part) => `${prefix}${part}`,
      describedBy: describedBy(interaction, prefix),
      classNames: { ...settings.classNames, ...classNames },
      slots: { ...settings.slots, ...slots },
      portalContainer: portalContainer ?? settings.portalContainer,
      PopOutView,
      openPopOut: (View) => setPopOutView(() => View),
      closePopOut,
      respond,
      retry: () => void (onRetry ? onRetry() : client?.retry(interactionId)),
      extend: () => void (onExtend ? onExtend() : client?.extend(interactionId)),
      cancelRun() {
        if (onCancelRun) onCancelRun()
        else if (runId !== undefined) client?.cancelRun(runId).catch(() => announcer?.say(messages.notSent))
      },
    }
  }, [
    settings,
    interaction,
    view,
    over,
    prefix,
    classNames,
    slots,
    portalContainer,
    PopOutView,
    closePopOut,
    respond,
    onRetry,
    onExtend,
    onCancelRun,
  ])
  return (
    <CardContext.Provider value={card}>
      <Part
        ref={ref}
        as="section"
        slotName="card"
        role="group"
        aria-labelledby={`${prefix}title`}
        aria-describedby={over ? undefined : card.describedBy}
        aria-busy={view.state === 'loading' || view.state === 'submitting' || undefined}
        dir={dir}
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

/** What describes a card besides its name: how dangerous it is, and the question. */
function describedBy(interaction: Interaction | undefined, prefix: string): string | undefined {
  if (!interaction) return undefined
  const risk = interaction.kind === 'approval' && questionOf(interaction)?.risk
  const parts = [risk ? 'risk' : '', promptOf(interaction) ? 'prompt' : ''].filter(Boolean)
  return parts.map((part) => `${prefix}${part}`).join(' ') || undefined
}
