import { Brand } from './brand.tsx'
import { suggestions } from './suggestions.ts'

export function Welcome({ onPick }: { onPick(text: string): void }) {
  return (
    <section className="welcome">
      <Brand />
      <h2>An agent that asks first</h2>
      <p className="muted">
        Pick one. Answer here, in a second tab, or after you stopped the server and started it again: it continues once.
      </p>
      <ul className="suggestions">
        {suggestions.map(({ word, title, about }) => (
          <li key={word}>
            <button type="button" onClick={() => onPick(title)}>
              <strong>{title}</strong>
              <span>{about}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
