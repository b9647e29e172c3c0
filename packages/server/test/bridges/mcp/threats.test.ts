import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { open } from '../../engine/support/world.ts'
import { BOTH_MODES, bridge, connected, KEYS } from './support.ts'
import { DELETE, parsed, textOf, world } from './tools.ts'

interface Asked {
  resultType: string
  requestState: string
  inputRequests: Record<string, unknown>
}

async function signedIn(hp: ReturnType<typeof bridge>, userId: string | undefined): Promise<Client> {
  const { client, close } = await connected(hp, userId, BOTH_MODES)
  onTestFinished(close)
  return client
}
const round = (client: Client, more: object = {}): Promise<Asked> =>
  client.callTool({ ...DELETE, ...more } as never, { allowInputRequired: true }) as unknown as Promise<Asked>
const said = ({ requestState, inputRequests }: Asked, decision: string) => ({
  requestState,
  inputResponses: { [Object.keys(inputRequests)[0]!]: { action: 'accept', content: { decision } } },
})

describe('the user of a call', () => {
  test('comes from the access token: a call without one asks no user and runs nothing [M1.1]', async () => {
    const { holdpoint, tools, ran } = world()
    const client = await signedIn(bridge(holdpoint, tools), undefined)
    const result = await client.callTool({ ...DELETE, _meta: { sub: 'ada', userId: 'ada' } })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain('not authenticated')
    expect(ran).toEqual([])
  })

  test('cannot be changed by a request state: a state of another user is rejected before the tool runs [M2.1]', async () => {
    const { holdpoint, human, tools, ran } = world()
    const hp = bridge(holdpoint, tools)
    const asked = await round(await signedIn(hp, 'ada'))
    const bob = await signedIn(hp, 'bob')
    await expect(round(bob, said(asked, 'once'))).rejects.toMatchObject({ code: -32602 })
    expect(ran).toEqual([])
    expect(await human.waiting()).toHaveLength(1)
  })

  test('the tool checks the state also on a server without the verify hook [M2.2]', async () => {
    const { holdpoint, tools, ran } = world()
    const hp = bridge(holdpoint, tools)
    const asked = await round(await signedIn(hp, 'ada'))
    const unverified = { ...hp, verify: async () => {} }
    const bob = await signedIn(unverified, 'bob')
    const refused = await round(bob, said(asked, 'once')).catch((error: Error) => ({ message: error.message }))
    expect(JSON.stringify(refused)).toContain('requestState is not valid')
    expect(ran).toEqual([])
  })
})

describe('an answer', () => {
  test('with unknown keys beside it counts, and the unknown keys are ignored', async () => {
    const { holdpoint, tools, ran } = world()
    const client = await signedIn(bridge(holdpoint, tools), 'ada')
    const asked = await round(client)
    const { inputResponses, requestState } = said(asked, 'once')
    const unknown = { user_name: { action: 'accept', content: { decision: 'deny' } }, other: { action: 'decline' } }
    const result = await round(client, { requestState, inputResponses: { ...unknown, ...inputResponses } })
    expect(parsed(result as never)).toEqual({ done: 'delete_files' })
    expect(ran).toHaveLength(1)
  })

  test('without a request state names no question, so it answers none', async () => {
    const { holdpoint, human, tools, ran } = world()
    const client = await signedIn(bridge(holdpoint, tools), 'ada')
    const { inputResponses } = said(await round(client), 'once')
    expect(await round(client, { inputResponses })).toMatchObject({ resultType: 'input_required' })
    expect(ran).toEqual([])
    expect(await human.waiting()).toHaveLength(2)
  })
})

describe('a request state', () => {
  test('names no argument and no user in plain text', async () => {
    const { holdpoint, tools } = world()
    const { requestState } = await round(await signedIn(bridge(holdpoint, tools), 'ada'))
    const plain = requestState.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
    expect(plain.join()).not.toMatch(/a\.txt|ada|delete/)
  })

  test('that is replayed fifty times, with approvals and denials, runs the tool once and always returns its result [M3.1]', async () => {
    const { holdpoint, tools, ran } = world()
    const client = await signedIn(bridge(holdpoint, tools), 'ada')
    const asked = await round(client)
    expect(parsed(await round(client, said(asked, 'once')))).toEqual({ done: 'delete_files' })
    const replays = Array.from({ length: 50 }, (_, n) => round(client, said(asked, n % 2 ? 'once' : 'deny')))
    for (const result of await Promise.all(replays)) expect(parsed(result)).toEqual({ done: 'delete_files' })
    expect(ran).toHaveLength(1)
  })

  test('that is first used by fifty requests at once counts one decision [M3.2]', async () => {
    const { holdpoint, tools, ran } = world()
    const client = await signedIn(bridge(holdpoint, tools), 'ada')
    const asked = await round(client)
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, n) => round(client, said(asked, n % 2 ? 'once' : 'deny'))),
    )
    expect(new Set(all.map(textOf)).size).toBe(1)
    expect(ran.length).toBe('isError' in all[0]! ? 0 : 1)
  })

  test('sealed with a removed key is rejected, and with an older key of the list it is accepted', async () => {
    const { holdpoint, tools, ran } = world()
    const newer = { id: 'k2', key: Buffer.alloc(32, 9).toString('base64') }
    const asked = await round(await signedIn(bridge(holdpoint, tools), 'ada'))
    const replaced = await signedIn(bridge(holdpoint, tools, { keys: [newer] }), 'ada')
    await expect(round(replaced, said(asked, 'once'))).rejects.toMatchObject({ code: -32602 })
    const rotated = await signedIn(bridge(holdpoint, tools, { keys: [newer, ...KEYS] }), 'ada')
    expect(parsed(await round(rotated, said(asked, 'once')))).toEqual({ done: 'delete_files' })
    expect(ran).toHaveLength(1)
  })

  test('of any other form is rejected: changed, shortened, in plain text, or of another tool [M2.3]', async () => {
    const { holdpoint, tools, ran } = world()
    const client = await signedIn(bridge(holdpoint, tools), 'ada')
    const asked = await round(client)
    const [keyId, iv, data = ''] = asked.requestState.split('.')
    const flipped = `${data[0] === 'A' ? 'B' : 'A'}${data.slice(1)}`
    const forged = [
      '',
      '{}',
      '..',
      asked.requestState.slice(0, -4),
      `${keyId}.${iv}.${flipped}`,
      `${asked.requestState}.x`,
    ]
    for (const requestState of forged) {
      const refused = round(client, { ...said(asked, 'once'), requestState })
      await expect(refused, requestState).rejects.toMatchObject({ code: -32602 })
    }
    const mail = { ...said(asked, 'once'), name: 'send_mail', arguments: { text: 'hi' } }
    expect(textOf(await round(client, mail))).toContain('requestState is not valid')
    expect(ran).toEqual([])
  })

  test('does not carry an approval to other arguments [M2.4]', async () => {
    const { holdpoint, tools, ran } = world()
    const client = await signedIn(bridge(holdpoint, tools), 'ada')
    const asked = await round(client)
    const other = await round(client, { ...said(asked, 'once'), arguments: { files: ['everything'] } })
    expect(textOf(other)).toContain('other arguments')
    expect(ran).toEqual([])
  })
})

test('the tools need 32-byte keys', () => {
  expect(() => bridge(open(), {}, { keys: [{ id: 'k1', key: 'short' }] })).toThrow('32 bytes')
})
