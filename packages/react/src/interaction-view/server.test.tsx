import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { answered, approval, connect, form } from '../testing/interactions.ts'
import { allCards, InteractionView } from './interaction-view.tsx'

test('a server that has just started renders every card at once, because it loads their code without being asked', async () => {
  await vi.waitFor(() => expect(allCards.state.part).toBeDefined(), { timeout: 15_000 })
  const html = (interaction: Parameters<typeof InteractionView>[0]['interaction']) =>
    renderToString(<InteractionView interaction={interaction} />)
  expect(html(approval())).toContain('data-slot="approve"')
  expect(html(form())).toContain('data-slot="submit"')
  expect(html(connect())).toContain('data-slot="connect"')
  expect(html(answered(approval(), { action: 'approve' }))).toContain('data-slot="outcome"')
})
