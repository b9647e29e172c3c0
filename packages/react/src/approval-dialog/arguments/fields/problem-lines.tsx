import type { Problems } from '../../../field/values/problems.ts'
import { SafeText } from '../../../wording/text.tsx'

/** Problems of arguments that have no field to be shown at. */
export function ProblemLines({ id, problems }: { id: string; problems: Problems }) {
  const lines = Object.entries(problems).map(([name, found]) => `${name && `${name}: `}${found.join(' ')}`)
  if (lines.length === 0) return null
  return (
    <div className="hp-problem" id={id}>
      {lines.map((line) => (
        <div key={line}>
          <SafeText>{line}</SafeText>
        </div>
      ))}
    </div>
  )
}
