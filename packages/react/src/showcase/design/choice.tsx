/** One of several values, as buttons. */
export function Choice<T extends string>(props: {
  label: string
  options: readonly T[]
  value: T | undefined
  onChoose: (value: T) => void
}) {
  return (
    <fieldset className="choice" lang="en">
      <legend>{props.label}</legend>
      {props.options.map((option) => (
        <button
          key={option}
          type="button"
          className="showcase-button"
          aria-pressed={props.value === option}
          onClick={() => props.onChoose(option)}
        >
          {option}
        </button>
      ))}
    </fieldset>
  )
}
