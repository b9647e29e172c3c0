import { expect, test } from 'vitest'
import { checkFigures } from '../scripts/figures.ts'

test('README.md, bench/README.md and the plot say what bench/measured.json says', async () => {
  const { ok, output } = await checkFigures()
  expect(ok, output).toBe(true)
})
