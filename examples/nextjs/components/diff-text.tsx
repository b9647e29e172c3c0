/** A patch, with its lines told apart by more than colour: the sign stays. */
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
