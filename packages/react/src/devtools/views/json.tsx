import { escapeInvisible } from '@holdpoint/core/internal'

/** A value as JSON, folded. Characters that change the direction of text are shown as escapes. */
export function Json({ label, value }: { label: string; value: unknown }) {
  return (
    <details className="hp-devtools-json">
      <summary>{label}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by keyboard */}
      <pre tabIndex={0} dir="ltr">
        {escapeInvisible(JSON.stringify(value, null, 2) ?? 'undefined')}
      </pre>
    </details>
  )
}
