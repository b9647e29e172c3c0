import { say } from '@holdpoint/core/internal'
import { english } from '@holdpoint/core/messages'
import { expect, test } from 'vitest'
import { engineOf } from '../../src/http/mounted.ts'
import { asked, type Entry, FIELDS, file, keptIn } from './with-files.ts'

test('a question takes no more files than other uploads may have', async () => {
  const { page, send, uploads, status } = await asked({}, {}, { limits: { uploadsPerQuestion: 3 } })
  const files = ['a', 'b', 'c', 'd', 'e'].map((name): Entry => ['f.more', file(name)])
  const reply = await send(page, 'submit', [['f.title', 'T'], ...files])
  expect([reply.status, await uploads(), await status()]).toEqual([422, 3, 'open'])
  expect(reply.page).toContain(say(english.problems.too_many, { max: 3 }))
  expect(keptIn(reply.page)).toEqual(['a', 'b', 'c'])
})

test('files that a person removed make room at the limit of files, and files that the form has stay', async () => {
  const limit = { limits: { uploadsPerQuestion: 3 } }
  const { asking, page, send, uploads } = await asked({ fields: [FIELDS[0], FIELDS[2]] }, {}, limit)
  const first = await send(
    page,
    'submit',
    ['a', 'b', 'c'].map((name) => ['f.more', file(name)]),
  )
  expect([first.status, keptIn(first.page), await uploads()]).toEqual([422, ['a', 'b', 'c'], 3])
  const without = first.page.replace(
    /(<label class="choice"><input type="checkbox" name="f\.more"[^>]*>.*?<\/label>){2}/s,
    '',
  )
  expect(keptIn(without)).toEqual(['c'])
  const second = await send(
    without,
    'submit',
    ['d', 'e', 'f'].map((name) => ['f.more', file(name)]),
  )
  // The third new file is one too many, and removes none of those that the form has by then.
  expect([second.status, keptIn(second.page), await uploads()]).toEqual([422, ['c', 'd', 'e'], 3])
  expect((await send(second.page, 'submit', [['f.title', 'T']])).status).toBe(303)
  expect(await asking).toMatchObject({ input: { more: [{ name: 'c' }, { name: 'd' }, { name: 'e' }] } })
})

test('a client that does not name the files of its form removes none', async () => {
  const { holdpoint, interactionId, page, send, uploads } = await asked({}, {}, { limits: { uploadsPerQuestion: 1 } })
  await send(page, 'submit', [['f.more', file('a')]])
  const upload = (keeps?: string[]) =>
    engineOf(holdpoint).upload({ userId: 'ada' }, 'chat', {
      ...{ interactionId, fieldId: 'more', name: 'b', type: 'text/plain', bytes: new Uint8Array(1) },
      ...(keeps && { keeps }),
    })
  expect([(await upload()).status, (await upload([])).status, await uploads()]).toEqual([422, 200, 1])
})

test('a file that another tab uploaded stays while there is room', async () => {
  const { page, send, uploads } = await asked({}, {}, { limits: { uploadsPerQuestion: 2 } })
  await send(page, 'submit', [['f.more', file('a')]])
  await send(page, 'submit', [['f.more', file('b')]])
  expect(await uploads()).toBe(2)
})
