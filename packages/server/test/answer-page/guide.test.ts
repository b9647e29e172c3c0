import { createHoldpoint } from '@holdpoint/server'
import { type AnswerPage, answerPage } from '@holdpoint/server/answer-page'
import { memoryStore } from '@holdpoint/server/memory'
import { testHuman } from '@holdpoint/server/testing'
import { expect, onTestFinished, test, vi } from 'vitest'

/** The code of the guide "Answer links" under "Answer from e-mail", executed to its end. */
test('the e-mail of the guide contains a link for each of owner and audience, and the link answers', async () => {
  const sent: { messageId: string; to: string; text: string }[] = []
  const holdpoint = createHoldpoint({
    store: memoryStore(),
    name: crypto.randomUUID(),
    hooks: {
      async onAsked({ deliveryId, interactionId, tenant, userId, audience, prompt, present }) {
        if (present) return
        for (const to of [userId, ...audience]) {
          const link = await holdpoint.links.create({ interactionId, tenant, userId: to })
          sent.push({ messageId: `${deliveryId}.${to}`, to, text: `${prompt}\n\n${pages.linkUrl(link)}` })
        }
      },
    },
  })
  onTestFinished(() => holdpoint.close())
  const pages: AnswerPage = answerPage(holdpoint, { url: 'https://app.example.com' })
  const asking = holdpoint
    .session('chat', { userId: 'ada' })
    .toolCall({ runId: 'r', toolCallId: 'c', toolName: 'deploy' })
    .tryApprove({ prompt: 'Deploy?', audience: ['bob'] })
  const { interactionId } = await testHuman(holdpoint, { userId: 'ada', present: false }).next()
  await vi.waitFor(() => expect(sent.map(({ to }) => to)).toEqual(['ada', 'bob']))
  expect(sent[1]?.messageId).toBe(`${interactionId}.asked.bob`)
  const url = sent[1]?.text.split('\n').at(-1) ?? ''
  const headers = { host: 'app.example.com', 'sec-fetch-site': 'same-origin', origin: 'null' }
  const page = await (await holdpoint.fetch(new Request(url, { headers }))).text()
  const hidden = [...page.matchAll(/name="(answerId|shownDigest)" value="([^"]+)"/g)].map(([, name, value]) => [
    name,
    value,
  ])
  const body = new URLSearchParams([...(hidden as [string, string][]), ['action', 'approve']])
  expect((await holdpoint.fetch(new Request(url, { method: 'POST', body, headers }))).status).toBe(303)
  expect(await asking).toMatchObject({ outcome: 'approved', respondedBy: { userId: 'bob' } })
})
