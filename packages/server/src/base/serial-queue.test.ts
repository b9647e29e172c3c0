import { expect, test } from 'vitest'
import { SerialQueue } from './serial-queue.ts'

const turn = () => new Promise<void>(setImmediate)

test('work under one name waits for running work under that name, even if work under another name ends', async () => {
  const serial = new SerialQueue()
  const said: string[] = []
  let finish = () => {}
  const first = serial.run('a', async () => {
    said.push('a1 begins')
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    said.push('a1 ends')
  })
  await serial.run('b', async () => void said.push('b'))
  const second = serial.run('a', async () => void said.push('a2'))
  const idle = serial.idle().then(() => said.push('idle'))
  await turn()
  expect(said).toEqual(['a1 begins', 'b'])
  finish()
  await Promise.all([first, second, idle])
  expect(said).toEqual(['a1 begins', 'b', 'a1 ends', 'a2', 'idle'])
})

test('work after failed work under the same name still runs', async () => {
  const serial = new SerialQueue()
  const failing = serial.run('a', async () => {
    await turn()
    throw new Error('no')
  })
  const next = serial.run('a', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await serial.run('a', async () => 'again')).toBe('again')
})

test('work under one name runs in sequence, and under different names in parallel', async () => {
  const serial = new SerialQueue()
  const log: string[] = []
  const job = (name: string, fails = false) =>
    serial
      .run(name.charAt(0), async () => {
        log.push(`${name} begins`)
        await new Promise((resolve) => setTimeout(resolve, 1))
        log.push(`${name} ends`)
        if (fails) throw new Error(name)
      })
      .catch(() => log.push(`${name} fails`))
  await Promise.all([job('a1', true), job('a2'), job('b1')])
  expect(log.indexOf('a2 begins')).toBeGreaterThan(log.indexOf('a1 ends'))
  expect(log.indexOf('b1 begins')).toBeLessThan(log.indexOf('a1 ends'))
})
