import type { DiffFile } from '@holdpoint/core'
import type { ComponentType, HTMLAttributes, InputHTMLAttributes, ReactNode, Ref, SelectHTMLAttributes } from 'react'

/** What a button is for, so that a replacement can look the part: `danger` approves something of high risk. */
export type ButtonVariant = 'primary' | 'danger' | 'secondary' | 'quiet'

/** What a `Button` of your own gets. Pass all of it on to the element: it carries the behaviour and the labels. */
export interface ButtonSlotProps extends HTMLAttributes<HTMLButtonElement> {
  type: 'button' | 'submit'
  variant: ButtonVariant
  /** With React 18 a replacement takes it by `forwardRef`. */
  ref?: Ref<HTMLButtonElement>
  children?: ReactNode
}

/** What a `DiffViewer` of your own gets: one file, and what the person has decided so far. */
export interface DiffViewerSlotProps {
  file: DiffFile
  /** By hunk id. */
  decisions: Readonly<Record<string, 'accept' | 'reject'>>
  /** Left out when the diff can only be read. */
  onDecide?: (hunkId: string, decision: 'accept' | 'reject') => void
}

/** What an `Icon` of your own gets. */
export interface IconSlotProps {
  /** `approval`, `input`, `connect`, `check`, `cross`, `clock`, `warning`; or an integration with its icon's address. */
  name: string
  src?: string | undefined
}

/** Controls of the application's own, put in place of ours: `slots={{ Button: MyButton }}`. */
export interface Slots {
  Icon: ComponentType<IconSlotProps>
  DiffViewer: ComponentType<DiffViewerSlotProps>
  Button: ComponentType<ButtonSlotProps>
  Input: ComponentType<InputHTMLAttributes<HTMLInputElement>>
  Select: ComponentType<SelectHTMLAttributes<HTMLSelectElement>>
}

/** Names of the parts that take a class of yours, as in `data-slot`; `button` is all buttons. */
export type SlotName =
  | 'actions'
  | 'approve'
  | 'arguments'
  | 'button'
  | 'byline'
  | 'card'
  | 'change'
  | 'about'
  | 'code'
  | 'confirm'
  | 'connect'
  | 'connect-link'
  | 'copy'
  | 'copy-draft'
  | 'decline'
  | 'deny'
  | 'diff'
  | 'dismiss'
  | 'edit'
  | 'enable'
  | 'error'
  | 'error-summary'
  | 'exact'
  | 'expand'
  | 'extend'
  | 'facts'
  | 'field'
  | 'fields'
  | 'finished'
  | 'form'
  | 'header'
  | 'hint'
  | 'icon'
  | 'inbox'
  | 'input'
  | 'kept-draft'
  | 'list'
  | 'loading'
  | 'open-again'
  | 'outcome'
  | 'pop-in'
  | 'pop-out'
  | 'pop-out-view'
  | 'progress'
  | 'prompt'
  | 'reason'
  | 'reconnect'
  | 'record'
  | 'remove-file'
  | 'reset'
  | 'retry'
  | 'reveal'
  | 'risk'
  | 'row'
  | 'scopes'
  | 'select'
  | 'sign-in'
  | 'status'
  | 'stop'
  | 'submit'
  | 'time-left'
  | 'title'
/** Your classes for parts of cards, added to ours: `{ approve: 'btn btn-primary' }`. */
export type ClassNames = Readonly<Partial<Record<SlotName, string>>>
