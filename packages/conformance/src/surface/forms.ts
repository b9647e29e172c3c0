import { expect, test } from 'vitest'
import type { SurfaceNodes } from './node.ts'
import type { FormPresses } from './world.ts'

/** Forms that users fill in on the surface. Surfaces without forms skip these tests: they link to the page. */
export function formCases(use: () => SurfaceNodes): void {
  const withForm = (title: string, body: (nodes: SurfaceNodes, form: FormPresses) => Promise<void>) =>
    test(title, async ({ skip }) => {
      const nodes = use()
      if (!nodes.world.form) return skip('this surface has no forms: it links to the page')
      await body(nodes, nodes.world.form)
    })
  const opened = async ({ node, askForm, pass }: SurfaceNodes, form: FormPresses) => {
    const holdpoint = node()
    const asked = await askForm(holdpoint)
    const id = await asked.interactionId()
    await pass(5_000)
    await holdpoint.fetch(form.open({ messageOf: 'ada', by: 'ada' }))
    expect(form.isOpen()).toBe(true)
    const status = async () =>
      (await holdpoint.interactions.get({ sessionId: 'chat', interactionId: id }))?.status ?? 'unknown'
    const send = async (values: Record<string, string>, by = 'ada') =>
      form.take(await holdpoint.fetch(form.submit(by, values)))
    return { holdpoint, ...asked, status, send }
  }

  withForm('a user fills in a form on the surface, and the message shows that it was answered', async (nodes, form) => {
    const { asking, send } = await opened(nodes, form)
    expect(form.values()).toMatchObject({ Name: 'Ada' })
    expect(await send({ Copies: '3' })).toEqual({ closed: true })
    await nodes.pass(5_000)
    await nodes.idle()
    expect(await asking).toMatchObject({ outcome: 'submitted', input: { name: 'Ada', copies: 3 } })
    expect(nodes.world.messages()).toMatchObject([
      { sends: 1, outcome: expect.stringMatching(/answer|sent|submitted/i) },
    ])
  })

  withForm(
    'a form with an error stays, with the error at its field and the input of the person',
    async (nodes, form) => {
      const { asking, send, status } = await opened(nodes, form)
      expect(await send({ Name: 'Grace', Copies: '0' })).toEqual({ errors: { Copies: expect.stringMatching(/1/) } })
      expect(form.values()).toEqual({ Name: 'Grace', Copies: '0' })
      expect(await status()).toBe('open')
      expect(await send({ Copies: '2' })).toEqual({ closed: true })
      await nodes.pass(5_000)
      expect(await asking).toMatchObject({ input: { name: 'Grace', copies: 2 } })
    },
  )

  withForm('a form that another user opens or sends is refused, and nothing changes', async (nodes, form) => {
    const { node, askForm, pass } = nodes
    const holdpoint = node()
    const { interactionId } = await askForm(holdpoint)
    const id = await interactionId()
    await pass(5_000)
    for (const by of ['stranger', 'eve']) {
      await holdpoint.fetch(form.open({ messageOf: 'ada', by }))
      expect(form.isOpen()).toBe(false)
    }
    for (const by of ['stranger', 'eve']) {
      await holdpoint.fetch(form.open({ messageOf: 'ada', by: 'ada' }))
      const reply = await form.take(await holdpoint.fetch(form.submit(by, { Copies: '9' })))
      expect(reply.closed).toBeUndefined()
    }
    await pass(2_000)
    expect(await holdpoint.interactions.get({ sessionId: 'chat', interactionId: id })).toMatchObject({ status: 'open' })
  })

  withForm('a form that is sent five times at once is answered once', async (nodes, form) => {
    const { holdpoint, asking } = await opened(nodes, form)
    const request = form.submit('ada', { Copies: '4' })
    const replies = await Promise.all(Array.from({ length: 5 }, () => holdpoint.fetch(request.clone())))
    for (const reply of replies) expect(await form.take(reply)).toEqual({ closed: true })
    await nodes.pass(5_000)
    expect(await asking).toMatchObject({ input: { copies: 4 } })
    expect(nodes.world.messages()).toMatchObject([{ sends: 1 }])
  })

  withForm('a forged form is refused', async (nodes, form) => {
    const { holdpoint, status } = await opened(nodes, form)
    const reply = await holdpoint.fetch(form.forged('ada', { Copies: '9' }))
    expect(reply.status).toBeGreaterThanOrEqual(400)
    await nodes.pass(2_000)
    expect(await status()).toBe('open')
  })

  withForm('a form that is sent after the question was withdrawn shows what came of it', async (nodes, form) => {
    const { holdpoint, interactionId, send } = await opened(nodes, form)
    await holdpoint.cancelInteraction(await interactionId())
    await nodes.pass(5_000)
    expect(await send({ Copies: '2' })).toEqual({ notice: expect.stringMatching(/cancel|withdrawn|stopped/i) })
    await holdpoint.fetch(form.open({ messageOf: 'ada', by: 'ada' }))
    expect(nodes.world.messages()).toMatchObject([{ outcome: expect.stringMatching(/cancel|withdrawn|stopped/i) }])
  })
}
