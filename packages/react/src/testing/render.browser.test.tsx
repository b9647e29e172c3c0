import { expect, test } from 'vitest'
import { show } from './render.tsx'

test('a rendered page has loaded all of its fonts, so that its layout does not move later', async () => {
  await show(<p>text</p>)
  const states = [...document.fonts].map(({ family, status }) => `${family} ${status}`)
  expect(new Set(states)).toEqual(new Set(['Inter loaded']))
})
