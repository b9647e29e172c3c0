import { createElement, type ReactElement } from 'react'
import * as approvals from '../../approval-dialog/approval-dialog.stories.tsx'
import { ApprovalDialog } from '../../approval-dialog/approval-dialog.tsx'
import * as accounts from '../../auth-request-card/auth-request-card.stories.tsx'
import { AuthRequestCard } from '../../auth-request-card/auth-request-card.tsx'
import * as inboxes from '../../inbox/inbox.stories.tsx'
import { Inbox } from '../../inbox/inbox.tsx'
import * as forms from '../../input-form/input-form.stories.tsx'
import { InputForm } from '../../input-form/input-form.tsx'
import { UnknownCard } from '../../interaction-view/unknown-card.tsx'
import * as previews from '../../previews/previews.stories.tsx'
import { unknown } from '../interactions.ts'

type Args = Record<string, unknown>
type Stories = Record<string, { args?: Args; render?: unknown }>

/** Every story of the components as `[name, element]`: what tests look at is what designers see. */
export function everyStory(): [string, ReactElement][] {
  const of = (name: string, component: unknown, stories: object) =>
    Object.entries(stories as Stories)
      .filter(([story, { render }]) => story !== 'default' && !render)
      .map(([story, { args }]): [string, ReactElement] => [
        `${name} ${story}`,
        createElement(component as (props: Args) => ReactElement, args ?? {}),
      ])
  return [
    ...of('ApprovalDialog', ApprovalDialog, approvals),
    ...of('Previews', ApprovalDialog, previews),
    ...of('InputForm', InputForm, forms),
    ...of('AuthRequestCard', AuthRequestCard, accounts),
    ...of('Inbox', Inbox, inboxes),
    ['Unknown kind', createElement(UnknownCard, { interaction: unknown() })],
  ]
}
