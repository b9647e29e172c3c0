import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useCard } from './card-context.ts'

test('a part outside of a card names each root that it can belong to', () => {
  const Part = () => <p>{useCard().labelledBy}</p>
  expect(() => renderToString(<Part />)).toThrow(
    'Put it into <ApprovalDialog.Root> or <InputForm.Root> or <AuthRequestCard.Root>.',
  )
})
