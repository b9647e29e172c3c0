import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { fakeClient } from '../testing/fake-client.ts'
import { approval } from '../testing/interactions.ts'
import { StoryFrame } from '../testing/story-frame.tsx'
import { useAttention } from './use-attention.ts'

/** The names of questions are loaded after the first render, and this file loads nothing ahead. */
test('a page that shows the text of useAttention in a live region names its only question, and does not count it before', async () => {
  const client = fakeClient({ interactions: [approval()] })
  const texts: string[] = []
  const Bell = () => {
    const { count, text } = useAttention()
    const shown = `${count} ${text}`.trim()
    if (texts.at(-1) !== shown) texts.push(shown)
    return <p role="status">{count > 0 && text}</p>
  }
  await render(
    <StoryFrame client={client}>
      <Bell />
    </StoryFrame>,
  )
  const named = '1 A question is waiting: Delete 3 files from the shared folder?'
  await expect.poll(() => texts.at(-1)).toBe(named)
  expect(texts).toEqual(['0', named])
})
