import { colorTokens, type Theme } from './theme-presets.ts'

/** The theme in the format of the Design Tokens Community Group, for design programs. */
export function designTokensOf({ colors, radius, space, font }: Theme) {
  const group = (at: 0 | 1) => Object.fromEntries(colorTokens.map((token) => [token, colorToken(colors[token][at])]))
  return {
    color: { $type: 'color', light: group(0), dark: group(1) },
    radius: { $type: 'dimension', $value: { value: radius, unit: 'px' } },
    space: { $type: 'dimension', $value: { value: space, unit: 'px' } },
    font: { $type: 'fontFamily', $value: font.split(',').map((name) => name.trim().replaceAll("'", '')) },
  }
}

function colorToken(hex: string) {
  const components = [1, 3, 5].map((at) => Number((Number.parseInt(hex.slice(at, at + 2), 16) / 255).toFixed(4)))
  return { $value: { colorSpace: 'srgb', components, hex } }
}
