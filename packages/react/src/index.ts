export type { Messages, Sentence } from '@holdpoint/core/messages'
export { english, type PluralForms, plural } from '@holdpoint/core/messages'
export { ApprovalDialog, type ApprovalDialogProps } from './approval-dialog/approval-dialog.tsx'
export { AuthRequestCard, type AuthRequestCardProps } from './auth-request-card/auth-request-card.tsx'
export type { ConnectRow, ConnectStatus } from './auth-request-card/connect-context.ts'
export type { Clock } from './base/clock.ts'
export type { DraftStorage } from './base/drafts.ts'
export type {
  ButtonSlotProps,
  ButtonVariant,
  ClassNames,
  DiffViewerSlotProps,
  IconSlotProps,
  SlotName,
  Slots,
} from './base/slots.ts'
export type { CardProps } from './card/elements/card-context.ts'
export type { PartProps } from './card/elements/part.tsx'
export type { CardSurroundings } from './card/elements/use-view.ts'
export { useAttention } from './hooks/use-attention.ts'
export { type AuthReturnState, useAuthReturn } from './hooks/use-auth-return.ts'
export { useHoldpointClient } from './hooks/use-client.ts'
export { useConnectionState } from './hooks/use-connection-state.ts'
export { useInteraction } from './hooks/use-interaction.ts'
export { useInteractionMode } from './hooks/use-interaction-mode.ts'
export { useInteractions, usePendingAuth, usePendingInteractions } from './hooks/use-interactions.ts'
export { useNotifications } from './hooks/use-notifications.ts'
export { useRun } from './hooks/use-run.ts'
export { useToolCall } from './hooks/use-tool-call.ts'
export { useUserActions } from './hooks/use-user-actions.ts'
export { Inbox, type InboxProps } from './inbox/inbox.tsx'
export { InputForm, type InputFormProps } from './input-form/input-form.tsx'
export { InteractionView, type InteractionViewProps } from './interaction-view/interaction-view.tsx'
export { ToolInteraction, type ToolInteractionProps } from './interaction-view/tool-interaction.tsx'
export type { HighRiskConfirm, IntegrationInfo, ToolInfo } from './settings/context.ts'
export { HoldpointProvider, type HoldpointProviderProps } from './settings/provider.tsx'
export type { CardState } from './wording/outcome-text.ts'
