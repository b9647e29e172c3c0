import type { DiffFile } from '@holdpoint/core/protocol'
import type { ComponentType, HTMLAttributes, InputHTMLAttributes, ReactNode, Ref, SelectHTMLAttributes } from 'react'

export type ButtonVariant = 'primary' | 'danger' | 'secondary' | 'quiet'

export interface ButtonSlotProps extends HTMLAttributes<HTMLButtonElement> {
  type: 'button' | 'submit'
  variant: ButtonVariant
  /** With React 18 a replacement takes it by `forwardRef`. */
  ref?: Ref<HTMLButtonElement>
  children?: ReactNode
}

export interface DiffViewerSlotProps {
  file: DiffFile
  /** By hunk id. */
  decisions: Readonly<Record<string, 'accept' | 'reject'>>
  /** Left out when the diff can only be read. */
  onDecide?: (hunkId: string, decision: 'accept' | 'reject') => void
}

export interface IconSlotProps {
  /** `approval`, `input`, `connect`, `check`, `cross`, `clock`, `warning`; or an integration with its icon's address. */
  name: string
  src?: string | undefined
}

/** Replacements for the controls that an application already has. */
export interface Slots {
  Icon: ComponentType<IconSlotProps>
  DiffViewer: ComponentType<DiffViewerSlotProps>
  Button: ComponentType<ButtonSlotProps>
  Input: ComponentType<InputHTMLAttributes<HTMLInputElement>>
  Select: ComponentType<SelectHTMLAttributes<HTMLSelectElement>>
}

/** Names of the parts, as in `data-slot`. */
export type SlotName = string
export type ClassNames = Readonly<Partial<Record<SlotName, string>>>
