import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { designTokensOf } from './design-tokens.ts'
import { colorTokens, contrast, cssOf, pairs, presets } from './theme-presets.ts'

const tokens = readFileSync(join(import.meta.dirname, '../../styles/theme/tokens.css'), 'utf8')

test('the preset Holdpoint is the theme of the package', () => {
  for (const token of colorTokens) {
    const [light, dark] = presets.Holdpoint.colors[token]
    expect(tokens).toContain(`var(--hp-color-${token}, light-dark(${light}, ${dark}))`)
  }
  expect(tokens).toContain(`--hp-radius: ${presets.Holdpoint.radius}px`)
})

test.each(Object.entries(presets))('the preset %s has the contrast of WCAG AA in both themes', (_name, { colors }) => {
  for (const [front, back, least] of pairs) {
    for (const theme of [0, 1] as const) {
      expect(contrast(colors[front][theme], colors[back][theme]), `${front} on ${back}`).toBeGreaterThanOrEqual(least)
    }
  }
})

test('black on white has the contrast 21', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
})

test('a theme becomes CSS with a light and a dark value for each color', () => {
  expect(cssOf(presets.Forest)).toContain('--hp-color-accent: light-dark(#0b6b4f, #6fe0bb);')
  expect(cssOf(presets.Forest).split('\n')).toHaveLength(colorTokens.length + 5)
})

test('the published design tokens are the theme of the package', () => {
  const file = join(import.meta.dirname, '../../../tokens/holdpoint.tokens.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(designTokensOf(presets.Holdpoint))
})
