import { expect, test } from 'vitest'
import { bareKernel } from '../../../test/engine/support/bare-kernel.ts'
import { questionRow } from '../../../test/engine/support/question-row.ts'
import { putQuestion, readQuestion } from '../records/question-records.ts'
import type { QuestionRow } from '../state/rows.ts'
import { openQuestion } from './open-question.ts'

const ask = {
  ...({ key: 'k', kind: 'approval', digest: 'd', timeoutMs: 60_000, shortcut: false, onTimeout: false } as const),
  event: ({ interactionId }: { interactionId: string }) => ({ ...questionRow().request, interactionId }) as never,
}

async function openedTwice(change: (row: QuestionRow) => QuestionRow) {
  const { kernel, partition, execution } = bareKernel()
  const first = await openQuestion(kernel, execution(), ask)
  if (first.type !== 'question') throw new Error('it was remembered')
  const stored = () => kernel.transact(partition, (tx) => readQuestion(tx, first.row.id))
  await kernel.transact(partition, async (tx) => {
    const row = await readQuestion(tx, first.row.id)
    if (row) putQuestion(tx, change(row))
  })
  const before = await stored()
  const again = await openQuestion(kernel, execution(), ask)
  return { before, after: await stored(), asked: again.type === 'question' && again.asked }
}

test('a repeated call waits for its open question, and its process becomes the waiter', async () => {
  const { after, asked } = await openedTwice(({ owner: _owner, ...row }) => ({ ...row, waiter: 'none' }))
  expect([after?.waiter, after?.owner !== undefined, asked]).toEqual(['inline', true, false])
})

test('a repeated call does not change its deferred question', async () => {
  const deferred = ({ owner: _owner, ...row }: QuestionRow) => ({ ...row, status: 'deferred', waiter: 'none' }) as const
  const { before, after, asked } = await openedTwice(deferred)
  expect([after, asked]).toEqual([before, false])
})
