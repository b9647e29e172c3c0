import { say } from '@holdpoint/core/internal'
import { useMemo } from 'react'
import { changeIds, lineCounts } from '../../base/changes.ts'
import { CardButton } from '../../card/elements/button.tsx'
import { type Card, useCard } from '../../card/elements/card-context.ts'
import { Part } from '../../card/elements/part.tsx'
import { asJson } from '../../readable/as-json.ts'
import { ISOLATE, nameText, POP, visible } from '../../wording/escape.ts'
import { SafeText, Text } from '../../wording/text.tsx'
import { useApproval } from './approval-context.ts'

/** The code of the first bundle that the diff viewer needs. It receives it instead of importing it: see `controlKit`. */
const diffKit = {
  CardButton,
  ISOLATE,
  POP,
  Part,
  SafeText,
  Text,
  asJson,
  changeIds,
  lineCounts,
  nameText,
  say,
  visible,
}
export type DiffKit = typeof diffKit & { card: Card; approval: ReturnType<typeof useApproval> }

/** Returns the code, and the card to which it belongs. */
export function useDiffKit(): DiffKit {
  const card = useCard()
  const approval = useApproval()
  return useMemo(() => ({ ...diffKit, card, approval }), [card, approval])
}
