import { expect, test } from 'vitest'
import { ApprovalDialog } from '../approval-dialog/approval-dialog.tsx'
import { InteractionView } from '../interaction-view/interaction-view.tsx'
import { HoldpointProvider } from '../settings/provider.tsx'
import { fakeClient } from '../testing/fake-client.ts'
import { approval, form } from '../testing/interactions.ts'
import { listen, show, wait } from '../testing/render.tsx'

test('providers inside of another one announce their questions together, in one live region', async () => {
  const questions = ['q1', 'q2', 'q3'].map((interactionId) => approval({ interactionId }))
  const clients = questions.map((one) => fakeClient({ interactions: [one] }))
  let shown = 0
  const { again } = await show(() =>
    clients.slice(0, shown).map((client, index) => (
      <HoldpointProvider key={index} client={client}>
        <ApprovalDialog interaction={questions[index]!} />
      </HoldpointProvider>
    )),
  )
  const heard = listen()
  shown = 3
  await again()
  await expect.poll(() => heard).toEqual(['3 questions are waiting'])
  expect(document.querySelectorAll('[data-slot="live"]')).toHaveLength(1)
  shown = 1
  await again()
  expect(document.querySelectorAll('[data-slot="live"]')).toHaveLength(1)
})

test('a lost connection and its return are announced once, however many cards there are', async () => {
  let connection: 'open' | 'reconnecting' = 'open'
  const questions = [approval(), form({ interactionId: 'q2' })]
  const late = approval({ interactionId: 'q3' })
  const { again } = await show(() =>
    questions.map((one) => <InteractionView key={one.interactionId} interaction={one} connection={connection} />),
  )
  const heard = listen()
  await expect.poll(() => heard).toHaveLength(1)
  const become = async (next: typeof connection) => {
    connection = next
    await again()
  }
  const story = ['Reconnecting… This may be out of date.', 'Connected again.']
  for (const state of ['reconnecting', 'open', 'reconnecting', 'open'] as const) {
    await wait(600)
    await become(state)
  }
  await wait(600)
  await become('reconnecting')
  questions.push(late)
  await wait(600)
  await again()
  await wait(600)
  expect(heard.filter((text) => story.includes(text))).toEqual([...story, ...story, story[0]])
})
