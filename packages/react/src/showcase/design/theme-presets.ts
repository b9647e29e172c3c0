/** Values of the public tokens for one look. Colors are a pair: light and dark. */
export interface Theme {
  colors: Readonly<Record<ColorToken, readonly [light: string, dark: string]>>
  radius: number
  space: number
  font: string
}

export const colorTokens = [
  'bg',
  'fg',
  'muted',
  'border',
  'accent',
  'on-accent',
  'danger',
  'on-danger',
  'success',
  'focus',
] as const
export type ColorToken = (typeof colorTokens)[number]

export const fonts = {
  system: 'system-ui, sans-serif',
  humanist: "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, sans-serif",
  serif: "'Iowan Old Style', 'Palatino Linotype', Georgia, serif",
  mono: 'ui-monospace, Menlo, Consolas, monospace',
} as const

const holdpoint: Theme = {
  colors: {
    bg: ['#ffffff', '#191a1d'],
    fg: ['#1b1c1f', '#ececef'],
    muted: ['#5d6068', '#a4a7af'],
    border: ['#dfe0e4', '#35373c'],
    accent: ['#2354d3', '#8fb1ff'],
    'on-accent': ['#ffffff', '#0b1a40'],
    danger: ['#b3261e', '#ff9d93'],
    'on-danger': ['#ffffff', '#3b0906'],
    success: ['#1a7340', '#74d69b'],
    focus: ['#2354d3', '#8fb1ff'],
  },
  radius: 10,
  space: 8,
  font: fonts.system,
}

const based = (colors: Partial<Theme['colors']>, more: Partial<Omit<Theme, 'colors'>> = {}): Theme => ({
  ...holdpoint,
  ...more,
  colors: { ...holdpoint.colors, ...colors },
})

/** Looks to begin with. The names say what they resemble; no color is taken from a brand. */
export const presets = {
  Holdpoint: holdpoint,
  Monochrome: based(
    {
      accent: ['#17181a', '#f1f1f3'],
      'on-accent': ['#ffffff', '#17181a'],
      focus: ['#17181a', '#f1f1f3'],
      border: ['#e4e4e7', '#2e2f33'],
    },
    { radius: 8 },
  ),
  Engineering: based(
    {
      bg: ['#ffffff', '#0f141a'],
      fg: ['#1d2329', '#e6edf3'],
      muted: ['#57606a', '#9aa5b1'],
      border: ['#d0d7de', '#303a45'],
      accent: ['#1c7c3c', '#3fb562'],
      'on-accent': ['#ffffff', '#06210f'],
      focus: ['#0a5fd0', '#6cb0ff'],
    },
    { radius: 6 },
  ),
  Violet: based(
    {
      bg: ['#fdfdff', '#15151c'],
      accent: ['#5a4bd4', '#a9a0ff'],
      'on-accent': ['#ffffff', '#181240'],
      focus: ['#5a4bd4', '#a9a0ff'],
      border: ['#e3e2ee', '#323242'],
    },
    { radius: 8, space: 7 },
  ),
  Tonal: based(
    {
      bg: ['#f4f1f8', '#1d1b21'],
      fg: ['#1d1b20', '#e6e1e8'],
      muted: ['#5a5561', '#b5aebd'],
      border: ['#cfc8d8', '#48444f'],
      accent: ['#65479f', '#d0bcff'],
      'on-accent': ['#ffffff', '#371e71'],
      focus: ['#65479f', '#d0bcff'],
    },
    { radius: 20 },
  ),
  Forest: based(
    {
      bg: ['#fbfcfa', '#141815'],
      fg: ['#1c211d', '#e8ede9'],
      accent: ['#0b6b4f', '#6fe0bb'],
      'on-accent': ['#ffffff', '#04261b'],
      focus: ['#0b6b4f', '#6fe0bb'],
      border: ['#dce3de', '#323a34'],
    },
    { radius: 4, space: 10, font: fonts.humanist },
  ),
  Paper: based(
    {
      bg: ['#fffdf8', '#1c1a17'],
      fg: ['#241f19', '#f0e9df'],
      muted: ['#665d52', '#b6ab9c'],
      border: ['#e3dacb', '#413b33'],
      accent: ['#8a3b12', '#f0a878'],
      'on-accent': ['#ffffff', '#3a1603'],
      focus: ['#8a3b12', '#f0a878'],
    },
    { radius: 2, font: fonts.serif },
  ),
  Terminal: based(
    {
      bg: ['#f7f8f7', '#0b0d0b'],
      fg: ['#101410', '#d6e5d6'],
      muted: ['#4f5b4f', '#93a893'],
      border: ['#cdd6cd', '#2c3a2c'],
      accent: ['#1d6b2c', '#7be88d'],
      'on-accent': ['#ffffff', '#04240b'],
      focus: ['#1d6b2c', '#7be88d'],
    },
    { radius: 0, space: 6, font: fonts.mono },
  ),
} as const satisfies Readonly<Record<string, Theme>>

/** The theme as the CSS that an application writes. */
export function cssOf({ colors, radius, space, font }: Theme): string {
  const lines = colorTokens.map((token) => {
    const [light, dark] = colors[token]
    return `  --hp-color-${token}: light-dark(${light}, ${dark});`
  })
  return [
    ':root {',
    ...lines,
    `  --hp-radius: ${radius}px;`,
    `  --hp-space: ${space}px;`,
    `  --hp-font: ${font};`,
    '}',
  ].join('\n')
}

/** Pairs of colors that a person must be able to distinguish, and the contrast that WCAG requires. */
export const pairs: readonly (readonly [ColorToken, ColorToken, number])[] = [
  ['fg', 'bg', 4.5],
  ['muted', 'bg', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-danger', 'danger', 4.5],
  ['success', 'bg', 4.5],
  ['danger', 'bg', 4.5],
  ['focus', 'bg', 3],
]

/** The contrast ratio of two colors, by the formula of WCAG 2. */
export function contrast(one: string, other: string): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
  const [red, green, blue] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
