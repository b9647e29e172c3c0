import { expect, test, vi } from 'vitest'
import { InteractionRefused } from './interaction-refused.ts'

test('an InteractionRefused is recognized by every copy of the module, because bundlers create several', async () => {
  vi.resetModules()
  const copy = await import('./interaction-refused.ts')
  expect(copy.InteractionRefused).not.toBe(InteractionRefused)
  expect(new copy.InteractionRefused('denied')).toBeInstanceOf(InteractionRefused)
  for (const other of [new Error('denied'), Object.assign(new Error('x'), { code: 'x', details: {} }), null]) {
    expect(other).not.toBeInstanceOf(InteractionRefused)
  }
})
