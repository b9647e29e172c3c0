/** Returns the size of a file in the words of a locale. */
export function sizeText(bytes: number, locale: string): string {
  if (bytes < 1e3) return `${bytes} B`
  const [size, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB']
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1, useGrouping: false }).format(size)} ${unit}`
}
