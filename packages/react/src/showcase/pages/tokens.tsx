import { colorTokens, type Theme } from '../design/theme-presets.ts'
import '../showcase.css'

/** The colors of a theme with their names and values. */
export function Tokens({ theme }: { theme: Theme }) {
  return (
    <table className="tokens">
      <thead>
        <tr>
          <th>Token</th>
          <th>Light</th>
          <th>Dark</th>
        </tr>
      </thead>
      <tbody>
        {colorTokens.map((token) => (
          <tr key={token}>
            <td>
              <code>--hp-color-{token}</code>
            </td>
            {theme.colors[token].map((color, at) => (
              // The two columns are themes, not a list.
              <td key={at === 0 ? 'light' : 'dark'}>
                <span className="token-color" style={{ background: color }} /> <code>{color}</code>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
