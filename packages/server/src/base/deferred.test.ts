import { expect, test } from 'vitest'
import { Deferred } from './deferred.ts'

function promised() {
  const told: unknown[] = []
  const one = new Deferred<string>(
    (value) => told.push(['resolved', value]),
    (error) => told.push(['rejected', error]),
  )
  one.cleanup = () => void told.push('cleaned up')
  return { one, told }
}

test('a deferred promise cleans up once, before its listeners are notified', () => {
  const yes = promised()
  yes.one.resolve('done')
  expect(yes.told).toEqual(['cleaned up', ['resolved', 'done']])
  const no = promised()
  no.one.reject('gone')
  no.one.reject('again')
  expect(no.told.filter((one) => one === 'cleaned up')).toHaveLength(1)
  expect(no.told.slice(0, 2)).toEqual(['cleaned up', ['rejected', 'gone']])
})
