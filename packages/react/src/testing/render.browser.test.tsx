import { expect, test } from 'vitest'
import { show } from './render.tsx'

test('a rendered page has all of its fonts loaded, so that its layout cannot move when one arrives', async () => {
  await show(<p>text</p>)
  const states = [...document.fonts].map(({ family, status }) => `${family} ${status}`)
  expect(new Set(states)).toEqual(new Set(['Inter loaded']))
})
