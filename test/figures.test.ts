import { expect, test } from 'vitest'
import { checkFigures } from '../scripts/figures.ts'

test('the figures in README.md, bench/README.md and the plot equal bench/measured.json', async () => {
  const { ok, output } = await checkFigures()
  expect(ok, output).toBe(true)
})
