/** Shows a patch. Its lines differ by their sign as well, not only by color. */
export function DiffText({ text }: { text: string }) {
  return (
    <pre className="diff">
      {text
        .trimEnd()
        .split('\n')
        .map((line, index) => (
          <span key={`${index} ${line}`} data-kind={kindOf(line)}>
            {`${line}\n`}
          </span>
        ))}
    </pre>
  )
}

function kindOf(line: string): string {
  if (line.startsWith('+++') || line.startsWith('---')) return 'file'
  if (line.startsWith('@@')) return 'place'
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
}
