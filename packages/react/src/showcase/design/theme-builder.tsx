import { type CSSProperties, useState } from 'react'
import { ApprovalDialog } from '../../approval-dialog/approval-dialog.tsx'
import { useCopy } from '../../card/behavior/use-copy.ts'
import { InputForm } from '../../input-form/input-form.tsx'
import { approval, form } from '../../testing/interactions.ts'
import { type ColorToken, colorTokens, contrast, cssOf, fonts, pairs, presets, type Theme } from './theme-presets.ts'
import '../showcase.css'
import { Choice } from './choice.tsx'

const presetNames = Object.keys(presets) as (keyof typeof presets)[]
const modes = ['light', 'dark'] as const

/** Choose a look, change its tokens, look at real cards in both themes, and copy the CSS. */
export function ThemeBuilder() {
  const [theme, setTheme] = useState<Theme>(presets.Holdpoint)
  const setColor = (token: ColorToken, mode: number, value: string) => {
    const pair = theme.colors[token].map((before, at) => (at === mode ? value : before)) as [string, string]
    setTheme({ ...theme, colors: { ...theme.colors, [token]: pair } })
  }
  return (
    <main className="builder" lang="en" dir="ltr">
      <section className="builder-controls" aria-label="Tokens">
        <Choice
          label="Begin with"
          options={presetNames}
          value={presetNames.find((name) => presets[name] === theme)}
          onChoose={(name) => setTheme(presets[name])}
        />
        <table>
          <caption>Colors</caption>
          <thead>
            <tr>
              <th scope="col">Token</th>
              <th scope="col">Light</th>
              <th scope="col">Dark</th>
            </tr>
          </thead>
          <tbody>
            {colorTokens.map((token) => (
              <tr key={token}>
                <th scope="row">{token}</th>
                {modes.map((mode, at) => (
                  <td key={mode}>
                    <input
                      type="color"
                      aria-label={`${token}, ${mode}`}
                      value={theme.colors[token][at]}
                      onChange={({ currentTarget }) => setColor(token, at, currentTarget.value)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <Range label="Radius" value={theme.radius} max={24} onChange={(radius) => setTheme({ ...theme, radius })} />
        <Range label="Space" value={theme.space} max={14} onChange={(space) => setTheme({ ...theme, space })} />
        <label>
          Font{' '}
          <select
            value={theme.font}
            onChange={({ currentTarget }) => setTheme({ ...theme, font: currentTarget.value })}
          >
            {Object.entries(fonts).map(([name, stack]) => (
              <option key={name} value={stack}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Contrasts theme={theme} />
        <CopyCss css={cssOf(theme)} />
      </section>
      <div className="builder-cards">
        {modes.map((mode) => (
          <section key={mode} aria-label={mode} data-hp-theme={mode} style={styleOf(theme, mode)}>
            <ApprovalDialog interaction={approval({ interactionId: `a-${mode}`, request: { risk: 'medium' } })} />
            <InputForm interaction={form({ interactionId: `f-${mode}` })} />
            <ApprovalDialog
              interaction={approval({
                interactionId: `d-${mode}`,
                request: { risk: 'high', facts: [{ label: 'Cannot be undone', tone: 'danger' }] },
              })}
            />
          </section>
        ))}
      </div>
    </main>
  )
}

function styleOf(theme: Theme, mode: 'light' | 'dark'): CSSProperties {
  const at = mode === 'light' ? 0 : 1
  const colors = colorTokens.map((token) => [`--hp-color-${token}`, theme.colors[token][at]])
  return {
    ...Object.fromEntries(colors),
    '--hp-radius': `${theme.radius}px`,
    '--hp-space': `${theme.space}px`,
    '--hp-font': theme.font,
    colorScheme: mode,
  }
}

function Range(props: { label: string; value: number; max: number; onChange: (value: number) => void }) {
  return (
    <label>
      {props.label}{' '}
      <input
        type="range"
        min={0}
        max={props.max}
        value={props.value}
        onChange={({ currentTarget }) => props.onChange(Number(currentTarget.value))}
      />{' '}
      {props.value} px
    </label>
  )
}

function Contrasts({ theme }: { theme: Theme }) {
  const low = pairs.flatMap(([front, back, least]) =>
    modes.flatMap((mode, at) => {
      const ratio = contrast(theme.colors[front][at]!, theme.colors[back][at]!)
      return ratio < least ? [`${front} on ${back}, ${mode}: ${ratio.toFixed(1)} of ${least}`] : []
    }),
  )
  return (
    <div role="status">
      {low.length === 0 ? (
        'Contrast: all pairs reach WCAG AA.'
      ) : (
        <>
          Contrast is too low:
          <ul>
            {low.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function CopyCss({ css }: { css: string }) {
  const { copy, copied } = useCopy(css)
  return (
    <>
      <pre>
        <code>{css}</code>
      </pre>
      <button type="button" className="showcase-button" onClick={copy}>
        {copied ? 'Copied' : 'Copy CSS'}
      </button>
    </>
  )
}
