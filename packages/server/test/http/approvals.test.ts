import { memoryStore } from '@holdpoint/server/memory'
import { expect, test } from 'vitest'
import { ADA, call, open, person } from '../engine/support/world.ts'

function world() {
  const holdpoint = open({
    store: memoryStore(),
    authenticate: (request) => {
      const userId = request.headers.get('x-user')
      return userId ? { userId } : null
    },
  })
  const send = async (user: string | null, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await holdpoint.fetch(
      new Request(`https://app.example/holdpoint${path}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        headers: {
          ...(user !== null && { 'x-user': user }),
          ...{ origin: 'https://app.example', host: 'app.example', 'content-type': 'application/json' },
          ...headers,
        },
      }),
    )
    return { status: response.status, body: await response.json() }
  }
  const ask = (id: string) =>
    holdpoint
      .session('chat', ADA)
      .toolCall(call(id))
      .tryApprove({
        ...{ prompt: 'Delete?', args: { files: ['a'] }, scopes: ['once', 'session', 'always'] },
      })
  return { holdpoint, send, ask }
}
const KEY = { toolName: 'delete_files', key: { files: ['a'] } }

test('a remembered approval is listed, revoked, and the user is asked again', async () => {
  const { holdpoint, send, ask } = world()
  const first = ask('one')
  await person(holdpoint).answer(await person(holdpoint).next(), { action: 'approve', approvalScope: 'always' })
  await first
  expect(await ask('two')).toMatchObject({ remembered: true })
  const listed = { ...KEY, scope: 'always', approvedAt: expect.any(String) }
  expect(await send('ada', '/approvals')).toEqual({ status: 200, body: { approvals: [listed] } })
  expect(await send('bob', '/approvals')).toEqual({ status: 200, body: { approvals: [] } })
  expect(await send('ada', '/approvals/revoke', KEY)).toEqual({
    ...{ status: 200, body: { status: 'accepted', revoked: 1 } },
  })
  expect(await send('ada', '/approvals')).toEqual({ status: 200, body: { approvals: [] } })
  const third = ask('three')
  await person(holdpoint).answer(await person(holdpoint).next(), { action: 'deny' })
  expect(await third).toMatchObject({ outcome: 'denied' })
})

test('users revoke their own approvals only', async () => {
  const { holdpoint, send, ask } = world()
  const first = ask('one')
  await person(holdpoint).answer(await person(holdpoint).next(), { action: 'approve', approvalScope: 'always' })
  await first
  expect(await send('bob', '/approvals/revoke', KEY)).toMatchObject({ body: { revoked: 0 } })
  expect(await send('ada', '/approvals/revoke', { ...KEY, userId: 'ada' })).toMatchObject({ status: 400 })
  expect(await send(null, '/approvals')).toMatchObject({ status: 401 })
  expect(await send('ada', '/approvals/revoke', KEY, { origin: 'https://evil.example' })).toMatchObject({
    ...{ status: 403, body: { error: { code: 'origin_not_allowed' } } },
  })
  expect(await holdpoint.approvals.list({ userId: 'ada' })).toHaveLength(1)
})

test('a malformed request to revoke is rejected with a code, and nothing is revoked', async () => {
  const { send } = world()
  for (const body of [{}, [], { toolName: 'delete_files' }, { key: 'k' }, { ...KEY, toolName: 1 }, 'k']) {
    expect(await send('ada', '/approvals/revoke', body)).toMatchObject({
      ...{ status: 400, body: { error: { code: 'invalid_message' } } },
    })
  }
})

test('remembered approvals are listed in pages, each once, and a cursor of no page is rejected', async () => {
  const { holdpoint, send } = world()
  for (let n = 0; n < 7; n++) {
    const asked = holdpoint
      .session('chat', ADA)
      .toolCall(call(`call-${n}`))
      .tryApprove({ ...{ prompt: 'Delete?', args: { files: [`f${n}`] }, scopes: ['once', 'always'] } })
    await person(holdpoint).answer(await person(holdpoint).next(), { action: 'approve', approvalScope: 'always' })
    await asked
  }
  const sizes: number[] = []
  const keys: string[] = []
  for (let next: string | undefined = ''; next !== undefined; ) {
    const { status, body } = await send('ada', `/approvals?limit=3${next && `&next=${encodeURIComponent(next)}`}`)
    expect(status).toBe(200)
    sizes.push(body.approvals.length)
    keys.push(...body.approvals.map(({ key }: { key: { files: string[] } }) => key.files[0]))
    const times = body.approvals.map(({ approvedAt }: { approvedAt: string }) => approvedAt)
    expect(times).toEqual([...times].sort().reverse())
    next = body.next
  }
  expect(sizes.every((size) => size <= 3)).toBe(true)
  expect(keys.sort()).toEqual(Array.from({ length: 7 }, (_, n) => `f${n}`))
  expect(await send('ada', '/approvals?next=%00')).toMatchObject({
    ...{ status: 400, body: { error: { code: 'invalid_cursor' } } },
  })
})
