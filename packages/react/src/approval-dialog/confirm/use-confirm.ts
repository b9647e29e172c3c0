import type { InteractionRequestEvent } from '@holdpoint/core/internal'
import type { Messages } from '@holdpoint/core/messages'

import { useCallback, useMemo, useState } from 'react'
import type { HighRiskConfirm, ToolInfo } from '../../settings/context.ts'
import { visible } from '../../wording/escape.ts'

/** The deliberate act that an approval with high risk requires. */
export interface Confirm {
  how: HighRiskConfirm
  /** The text that must be typed. */
  name: string
  typed: string
  isNamed: boolean
  type: (text: string) => void
  /** Registers the input for the name while it is on the page. */
  mount: () => () => void
}

/** Decides how a question is confirmed. If the input for the name is not on the page, holding replaces typing. */
export function useConfirm(
  request: InteractionRequestEvent | undefined,
  tool: ToolInfo | undefined,
  fallback: HighRiskConfirm,
  messages: Messages,
): Confirm {
  const [typedFor, setTyped] = useState<{ id: string; text: string }>()
  const [lines, setLines] = useState<number | undefined>(undefined)
  const id = request?.interactionId ?? ''
  const typed = typedFor?.id === id ? typedFor.text : ''
  const mount = useCallback(() => {
    setLines((count = 0) => count + 1)
    return () => setLines((count = 1) => count - 1)
  }, [])
  return useMemo(() => {
    const how = request?.risk === 'high' ? (tool?.confirm ?? fallback) : 'press'
    const name = visible(
      tool?.confirmName && request ? tool.confirmName(request.args) : (request?.labels?.approve ?? messages.approve),
    )
    return {
      how,
      name,
      typed,
      isNamed: lines ? plain(typed) === plain(name) : false,
      type: (text) => setTyped({ id, text }),
      mount,
    }
  }, [request, tool, fallback, messages, typed, lines, id, mount])
}

const plain = (text: string) => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
