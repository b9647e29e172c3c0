import { useCard } from '../../card/elements/card-context.ts'
import type { Problems } from '../../field/values/problems.ts'
import { asJson } from '../../readable/as-json.ts'
import { SafeText } from '../../wording/text.tsx'
import { useApproval } from './approval-context.ts'

/** Changes the arguments as JSON text. */
export function JsonEditor({ id }: { id: string }) {
  const { request, messages } = useCard()
  const { draft, change, argsProblems: problems } = useApproval()
  const broken = Object.keys(problems).length > 0
  const text = draft.argsText ?? asJson(request?.args)
  return (
    <>
      <textarea
        className="hp-input hp-code-input"
        data-slot="argument-editor"
        dir="ltr"
        spellCheck={false}
        rows={Math.min(16, text.split('\n').length + 1)}
        aria-label={messages.argumentsTitle}
        aria-invalid={broken ? true : undefined}
        aria-describedby={broken ? `${id}problem` : undefined}
        value={text}
        onChange={(event) =>
          change({
            argsText: event.target.value,
            ...{ argsForm: null, argsProblems: null, argsValues: null },
          })
        }
      />
      <ProblemLines id={`${id}problem`} problems={problems} />
    </>
  )
}

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
