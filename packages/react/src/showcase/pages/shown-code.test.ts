import { expect, test } from 'vitest'
import { approval } from '../../testing/interactions.ts'
import { shownCode } from './shown-code.ts'

test('the code of a story is what an application writes: the question comes from the session', () => {
  const args = {
    interaction: approval(),
    callStatus: 'running',
    headingLevel: 2,
    onSignIn: () => {},
    redirect: undefined,
  }
  expect(shownCode('<Complete />', { args, title: 'Components/ApprovalDialog' })).toBe(
    `const interaction = useInteraction(interactionId)

<ApprovalDialog interaction={interaction} headingLevel={2} onSignIn={…} />`,
  )
})

test('the code of a story without a question is shown as it is', () => {
  expect(shownCode('<Inbox />', { args: {}, title: 'Components/Inbox' })).toBe('<Inbox />')
})
