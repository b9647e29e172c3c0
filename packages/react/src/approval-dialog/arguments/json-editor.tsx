import { useCard } from '../../card/elements/card-context.ts'
import { asJson } from '../../readable/as-json.ts'
import { useApproval } from './approval-context.ts'
import { ProblemLines } from './fields/problem-lines.tsx'

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
        onChange={(event) => change({ argsText: event.target.value, argsForm: null, argsValues: null })}
      />
      <ProblemLines id={`${id}problem`} problems={problems} />
    </>
  )
}
