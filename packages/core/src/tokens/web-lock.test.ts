import { expect, test } from 'vitest'
import { webLock } from './web-lock.ts'

const name = (what: string) => `node:${process.pid}:${what}`

test('one task runs at a time, and each returns its result', async () => {
  let inside = 0
  let most = 0
  const task = async () => {
    most = Math.max(most, ++inside)
    await new Promise((done) => setTimeout(done))
    inside--
    return 'done'
  }
  const all = await Promise.all(Array.from({ length: 10 }, () => webLock().run(name('x'), 20_000, task)))
  expect([most, all]).toEqual([1, Array(10).fill({ held: true, value: 'done' })])
})

test('a task whose wait times out is rejected and does not run', async () => {
  let leave = () => {}
  const stuck = webLock().run(name('stuck'), 20_000, () => new Promise<void>((done) => (leave = done)))
  let ran = false
  const late = await webLock().run(name('stuck'), 10, async () => {
    ran = true
  })
  expect([late, ran]).toEqual([{ held: false }, false])
  leave()
  expect(await stuck).toEqual({ held: true, value: undefined })
})

test('an error of a task is thrown, and the lock is released', async () => {
  const failing = webLock().run(name('y'), 20_000, () => Promise.reject(new Error('mine')))
  await expect(failing).rejects.toThrow('mine')
  expect(await webLock().run(name('y'), 20_000, async () => 1)).toEqual({ held: true, value: 1 })
})
