import type { DiffFile } from '@holdpoint/core/internal'
import type { ComponentType, HTMLAttributes, InputHTMLAttributes, ReactNode, Ref, SelectHTMLAttributes } from 'react'

/** The purpose of a button, for its appearance: `danger` approves something of high risk. */
export type ButtonVariant = 'primary' | 'danger' | 'secondary' | 'quiet'

/** The props of your own `Button`. Pass all of them to the element: they contain the behavior and the labels. */
export interface ButtonSlotProps extends HTMLAttributes<HTMLButtonElement> {
  type: 'button' | 'submit'
  variant: ButtonVariant
  /** With React 18 a replacement takes it by `forwardRef`. */
  ref?: Ref<HTMLButtonElement>
  children?: ReactNode
}

/** The props of your own `DiffViewer`: one file, and the decisions of the person. */
export interface DiffViewerSlotProps {
  file: DiffFile
  /** By hunk id. */
  decisions: Readonly<Record<string, 'accept' | 'reject'>>
  /** Left out when the diff can only be read. */
  onDecide?: (hunkId: string, decision: 'accept' | 'reject') => void
}

/** The props of your own `Icon`. */
export interface IconSlotProps {
  /** `approval`, `input`, `connect`, `check`, `cross`, `clock`, `warning`; or an integration with its icon's address. */
  name: string
  src?: string | undefined
}

/** The application's own controls, which replace those of the cards: `slots={{ Button: MyButton }}`. */
export interface Slots {
  Icon: ComponentType<IconSlotProps>
  DiffViewer: ComponentType<DiffViewerSlotProps>
  Button: ComponentType<ButtonSlotProps>
  Input: ComponentType<InputHTMLAttributes<HTMLInputElement>>
  Select: ComponentType<SelectHTMLAttributes<HTMLSelectElement>>
}

/** Names of the parts that accept your classes, as in `data-slot`. `button` applies to all buttons. */
export type SlotName =
  | 'accept-all'
  | 'actions'
  | 'add-item'
  | 'answers'
  | 'approve'
  | 'arguments'
  | 'button'
  | 'byline'
  | 'card'
  | 'change'
  | 'change-rule'
  | 'about'
  | 'code'
  | 'confirm'
  | 'connect'
  | 'connect-link'
  | 'copy'
  | 'copy-draft'
  | 'decline'
  | 'deny'
  | 'deny-instead'
  | 'diff'
  | 'dismiss'
  | 'edit'
  | 'edit-as'
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
  | 'instead'
  | 'instead-toggle'
  | 'kept-draft'
  | 'list'
  | 'loading'
  | 'open-again'
  | 'outcome'
  | 'pop-in'
  | 'pop-out'
  | 'pop-out-view'
  | 'previous-step'
  | 'progress'
  | 'prompt'
  | 'reason'
  | 'reconnect'
  | 'record'
  | 'reject-all'
  | 'remove-file'
  | 'remove-item'
  | 'reset'
  | 'retry'
  | 'reveal'
  | 'risk'
  | 'row'
  | 'scopes'
  | 'select'
  | 'sign-in'
  | 'status'
  | 'step'
  | 'stop'
  | 'submit'
  | 'time-left'
  | 'title'
/** Your classes for parts of cards, added to ours: `{ approve: 'btn btn-primary' }`. */
export type ClassNames = Readonly<Partial<Record<SlotName, string>>>
