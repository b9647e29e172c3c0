import { expect, onTestFinished, test } from 'vitest'
import { shells } from '../http/support/servers.ts'
import { ORIGIN, world } from './support.ts'

test.each(Object.entries(shells))('a question is shown and answered by a link through %s', async (_name, start) => {
  const { holdpoint, session, human, hidden } = world()
  const running = await start(holdpoint)
  onTestFinished(() => void running.stop())
  const fields = [
    { id: 'name', type: 'text', label: 'Name' },
    {
      id: 'extras',
      type: 'multiselect',
      label: 'Extras',
      options: ['x', 'y'].map((value) => ({ value, label: value })),
    },
  ] as const
  const asking = session.toolCall({ runId: 'r', toolCallId: 'c', toolName: 't' }).tryAsk({ prompt: 'Who?', fields })
  const { interactionId } = await human.next()
  const { token } = await holdpoint.links.create({ interactionId, userId: 'ada' })
  const url = `${running.url}/answer/${token}`
  const page = await fetch(url)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const typed: [string, string][] = [
    ...Object.entries(hidden(await page.text())),
    ['f.name', 'Ada & Grace'],
    ['f.extras', 'x'],
    ['f.extras', 'y'],
    ['action', 'submit'],
  ]
  const { origin } = new URL(running.url)
  const reply = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(typed),
    headers: { origin, 'sec-fetch-site': 'same-origin' },
  })
  expect(reply.status).toBe(303)
  expect(await asking).toMatchObject({ input: { name: 'Ada & Grace', extras: ['x', 'y'] } })
})

test.each(Object.entries(shells))('the head of a link has no body and no effect through %s', async (_name, start) => {
  const { holdpoint, approval } = world()
  const running = await start(holdpoint)
  onTestFinished(() => void running.stop())
  const { question } = await approval()
  const { interactionId } = question
  const { token } = await holdpoint.links.create({ interactionId, userId: 'ada' })
  const head = async (path: string) => {
    const reply = await fetch(`${running.url}${path}`, { method: 'HEAD' })
    return [reply.status, reply.headers.get('content-type'), await reply.text()]
  }
  const html = 'text/html; charset=utf-8'
  expect(await head(`/answer/${token}`)).toEqual([200, html, ''])
  expect(await head('/answer/unknown')).toEqual([404, html, ''])
  expect(await head(`/sessions/chat/answer/${interactionId}`)).toEqual([401, html, ''])
  expect(await holdpoint.interactions.get({ sessionId: 'chat', interactionId })).toMatchObject({ status: 'open' })
  // fetch() of a client drops a body that the server should not have sent.
  const direct = await holdpoint.fetch(new Request(`${ORIGIN}/answer/${token}`, { method: 'HEAD' }))
  expect([direct.status, direct.body]).toEqual([200, null])
})
