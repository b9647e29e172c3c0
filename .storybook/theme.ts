import { create, type ThemeVars } from 'storybook/theming'

const shared = {
  brandTitle: 'Holdpoint',
  brandUrl: './?path=/docs/start-here--docs',
  brandTarget: '_self',
  fontBase: "'Inter', system-ui, sans-serif",
  fontCode: 'ui-monospace, Menlo, Consolas, monospace',
  appBorderRadius: 8,
  inputBorderRadius: 6,
} as const

/** The colors of the cards' own theme, around them and in their documentation. */
export const light: ThemeVars = create({
  ...shared,
  base: 'light',
  brandImage: './logo.svg',
  colorPrimary: '#2354d3',
  colorSecondary: '#2354d3',
  appBg: '#f6f6f8',
  appContentBg: '#ffffff',
  appBorderColor: '#dfe0e4',
  textColor: '#1b1c1f',
  textMutedColor: '#5d6068',
  barTextColor: '#5d6068',
  barSelectedColor: '#2354d3',
  barHoverColor: '#2354d3',
  barBg: '#ffffff',
})

export const dark: ThemeVars = create({
  ...shared,
  base: 'dark',
  brandImage: './logo-dark.svg',
  colorPrimary: '#8fb1ff',
  colorSecondary: '#4f79ec',
  appBg: '#0c0d0f',
  appContentBg: '#121315',
  appPreviewBg: '#121315',
  appBorderColor: '#35373c',
  textColor: '#ececef',
  textMutedColor: '#a4a7af',
  barTextColor: '#a4a7af',
  barSelectedColor: '#8fb1ff',
  barHoverColor: '#8fb1ff',
  barBg: '#121315',
})
