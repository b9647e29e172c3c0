import { useCard } from '../../card/elements/card-context.ts'
import { asJson } from '../../readable/as-json.ts'
import { SafeText } from '../../wording/text.tsx'
import { useApproval } from './approval-context.ts'

/** Changes the arguments as JSON text. */
export function JsonEditor({ id }: { id: string }) {
  const { request, messages } = useCard()
  const { draft, change, argsProblems: problems } = useApproval()
  const broken = Object.keys(problems)
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
        aria-invalid={broken.length > 0 ? true : undefined}
        aria-describedby={broken.length > 0 ? `${id}problem` : undefined}
        value={text}
        onChange={(event) => change({ argsText: event.target.value, argsForm: null, argsValues: null })}
      />
      <ProblemLines id={`${id}problem`} names={broken} />
    </>
  )
}

/** Problems of arguments that have no field to be shown at. */
export function ProblemLines({ id, names }: { id: string; names: readonly string[] }) {
  const { argsProblems } = useApproval()
  if (names.length === 0) return null
  return (
    <div className="hp-problem" id={id}>
      {names.map((name) => (
        <div key={name}>
          <SafeText>{`${name && `${name}: `}${argsProblems[name]?.join(' ') ?? ''}`}</SafeText>
        </div>
      ))}
    </div>
  )
}
