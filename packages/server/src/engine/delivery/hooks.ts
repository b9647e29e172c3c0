import type { FollowUpDelivery, ToolResultDelivery } from '../api/deliveries.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { DeliveryRow } from '../state/rows.ts'
import { addressOf, askedNotice, settledNotice } from './notices.ts'

/** The option that receives each type of delivery. */
const names = {
  tool_result: 'onToolResult',
  follow_up: 'onFollowUp',
  asked: 'onAsked',
  reminder: 'onAsked',
  settled: 'onSettled',
  surface_plan: 'addSurfaces',
  surface_step: 'addSurfaces',
  surface_message: 'addSurfaces',
  surface_settled: 'addSurfaces',
  remembered_approval: 'approvals',
} as const

/** Returns the hook that a delivery waits for if this process cannot make it. */
export const hookName = ({ type }: DeliveryRow): string => names[type]

/** Whether this release knows the type. A newer release on the same store may write others. */
export const isKnownDelivery = ({ type }: DeliveryRow): boolean => Object.hasOwn(names, type)

/**
 * Calls the hook of a delivery. Returns undefined if this process has no hook for it. A hook that resolves with `Later`
 * is called again.
 */
export function hookOf(kernel: Kernel, row: DeliveryRow): (() => unknown) | undefined {
  const { onToolResult, onFollowUp, onAsked, onSettled } = kernel.settings
  switch (row.type) {
    case 'tool_result':
      return onToolResult && (() => onToolResult(toolResult(row)))
    case 'follow_up':
      return onFollowUp && (() => onFollowUp(followUpOf(row)))
    case 'asked':
    case 'reminder':
      return onAsked && (() => askedNotice(kernel, row).then((notice) => notice && onAsked(notice)))
    case 'settled':
      return onSettled && (() => onSettled(settledNotice(row)))
    case 'surface_plan':
    case 'surface_step':
    case 'surface_message':
    case 'surface_settled':
      return kernel.outreach && (() => kernel.reachOut(row))
    case 'remembered_approval':
      return () => kernel.rememberApproval(row)
  }
}

function toolResult(row: Extract<DeliveryRow, { type: 'tool_result' }>): ToolResultDelivery {
  const base = addressOf(row)
  const { result } = row
  if (result.status === 'completed') return { ...base, status: 'completed', result: result.result }
  if (result.status === 'error') {
    return { ...base, status: 'error', result: { error: { code: result.code, message: result.message } } }
  }
  const { outcome, reason, output } = result
  const details = { ...(reason !== undefined && { reason }), ...(output !== undefined && { output }) }
  return { ...base, status: 'refused', result: { refused: outcome, ...details } }
}

function followUpOf(row: Extract<DeliveryRow, { type: 'follow_up' }>): FollowUpDelivery {
  const { reason, interactionId, message, answer } = row
  const { answerId: _id, digest: _digest, at: _at, by: _by, diffDecisions: _decisions, ...content } = answer
  return { ...addressOf(row), reason, interactionId, message, answer: content }
}
