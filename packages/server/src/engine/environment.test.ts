import { expect, test } from 'vitest'
import { systemEnvironment } from './environment.ts'

test('a timer keeps its process only when it is asked to', () => {
  const environment = systemEnvironment()
  for (const keepAlive of [true, false]) {
    const handle = environment.setTimeout(() => {}, 1e6, keepAlive) as NodeJS.Timeout
    expect(handle.hasRef()).toBe(keepAlive)
    environment.clearTimeout(handle)
  }
})
