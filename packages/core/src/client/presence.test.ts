import { expect, test } from 'vitest'
import { settle } from '../../test/support/virtual-environment.ts'
import { createPresence } from './presence.ts'

test('presence messages are sent one at a time, the last request replaces earlier ones, and a hello is never lost', async () => {
  const said: string[] = []
  const ends: (() => void)[] = []
  const say = createPresence((kind) => {
    said.push(kind)
    return new Promise<void>((resolve) => ends.push(resolve))
  })
  say('set_interaction_mode')
  for (const kind of ['set_interaction_mode', 'hello', 'set_interaction_mode'] as const) say(kind)
  expect(said).toEqual(['set_interaction_mode'])
  ends[0]!()
  await settle()
  expect(said).toEqual(['set_interaction_mode', 'hello'])
  ends[1]!()
  await settle()
  say('set_interaction_mode')
  expect(said).toEqual(['set_interaction_mode', 'hello', 'set_interaction_mode'])
})
