import { afterEach, beforeEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { approval } from '../testing/interactions.ts'
import { part, show } from '../testing/render.tsx'
import './shadcn.css'

/** Returns the luminance of a color in any notation. */
function luminance(color: string): number {
  const drawing = new OffscreenCanvas(1, 1).getContext('2d')!
  drawing.fillStyle = color
  drawing.fillRect(0, 0, 1, 1)
  const [r, g, b] = [...drawing.getImageData(0, 0, 1, 1).data].map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** A token's color as the card has it. */
function token(name: string): string {
  const probe = part('card').appendChild(document.createElement('i'))
  probe.style.color = `var(--_hp-${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

// Only the tests of shadcn/ui use its tokens.
beforeEach(() => document.documentElement.setAttribute('data-hp-tokens', 'own'))
afterEach(() => document.documentElement.removeAttribute('style'))

test.each(['light', 'dark'])(
  '%s: the contrast is at least 4.5:1 for text, and 3:1 for edges and the focus ring',
  async (scheme) => {
    document.documentElement.style.colorScheme = scheme
    await show(<ApprovalDialog interaction={approval()} />)
    const pairs: [string, string, number][] = [
      ...['fg', 'muted', 'danger', 'success'].map((text): [string, string, number] => [text, 'bg', 4.5]),
      ['fg', 'soft', 4.5],
      ['muted', 'soft', 4.5],
      ['on-accent', 'accent', 4.5],
      ['on-danger', 'danger', 4.5],
      ['control', 'bg', 3],
      ['focus', 'bg', 3],
      ['accent', 'bg', 3],
    ]
    const weak = pairs.filter(([one, other, least]) => contrast(token(one), token(other)) < least)
    expect(weak).toEqual([])
    // The ring stands off its button, on the card: there it is seen beside a button of its own color too.
    part('approve').focus()
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Tab}')
    const { outlineColor, outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(part('approve'))
    expect(document.activeElement).toBe(part('approve'))
    expect([outlineStyle, outlineWidth, outlineOffset]).toEqual(['solid', '2px', '2px'])
    expect(contrast(outlineColor, token('bg'))).toBeGreaterThanOrEqual(3)
  },
)

test.each([
  ['auto', 'dark', 'dark'],
  ['dark', 'light', 'light'],
  ['light', 'dark', 'dark'],
  ['dark', 'auto', 'light dark'],
])('a theme of %s with %s inside of it shows a card in %s', async (outer, inner, scheme) => {
  await show(
    <div data-hp-theme={outer}>
      <div data-hp-theme={inner}>
        <ApprovalDialog interaction={approval()} />
      </div>
    </div>,
  )
  expect(getComputedStyle(part('card')).colorScheme).toBe(scheme)
})

/** The tokens of shadcn/ui's neutral theme. Some of its releases had a `--destructive-foreground` like `--destructive`. */
const shadcn = {
  light: {
    ...{ card: 'oklch(1 0 0)', 'card-foreground': 'oklch(0.145 0 0)', 'muted-foreground': 'oklch(0.556 0 0)' },
    ...{
      primary: 'oklch(0.205 0 0)',
      'primary-foreground': 'oklch(0.985 0 0)',
      destructive: 'oklch(0.577 0.245 27.325)',
    },
    'destructive-foreground': 'oklch(0.577 0.245 27.325)',
  },
  dark: {
    ...{ card: 'oklch(0.205 0 0)', 'card-foreground': 'oklch(0.985 0 0)', 'muted-foreground': 'oklch(0.708 0 0)' },
    ...{
      primary: 'oklch(0.922 0 0)',
      'primary-foreground': 'oklch(0.205 0 0)',
      destructive: 'oklch(0.704 0.191 22.216)',
    },
  },
}

test.each(['light', 'dark'] as const)(
  'with the tokens of shadcn/ui, %s, the contrast of text is at least 4.5:1',
  async (scheme) => {
    const page = document.documentElement
    page.style.colorScheme = scheme
    page.setAttribute('data-hp-tokens', 'shadcn')
    for (const [name, color] of Object.entries(shadcn[scheme])) page.style.setProperty(`--${name}`, color)
    await show(<ApprovalDialog interaction={approval({ request: { risk: 'high' } })} />)
    const pairs = [
      ...['fg', 'muted', 'danger'].map((text) => [text, 'bg'] as const),
      ['on-accent', 'accent'] as const,
      ['on-danger', 'danger'] as const,
    ]
    expect(pairs.filter(([one, other]) => contrast(token(one), token(other)) < 4.5)).toEqual([])
  },
)
