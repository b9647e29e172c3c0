import type { FieldOption } from '@holdpoint/core/internal'
import { SafeText } from '../../wording/text.tsx'

/** An option in words: its name, and what it means below it. */
export function OptionText({ option: { label, description } }: { option: FieldOption }) {
  return (
    <>
      <SafeText>{label}</SafeText>
      {description ? (
        <span className="hp-about">
          <SafeText>{description}</SafeText>
        </span>
      ) : null}
    </>
  )
}
