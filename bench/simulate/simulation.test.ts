import { expect, test } from 'vitest'
import { seededBy } from '../soak/seeded.ts'
import { GroupCommit, Processor, Simulation } from './simulation.ts'

test('a simulation runs events in the order of their times, and simultaneous ones in the order of planning', () => {
  const simulation = new Simulation()
  const ran: number[] = []
  const random = seededBy(1, 'order')
  for (let n = 0; n < 500; n++) {
    const at = Math.floor(random() * 50)
    simulation.after(at, () => ran.push(at * 1_000 + n))
  }
  simulation.run()
  expect(ran).toEqual(ran.toSorted((a, b) => a - b))
  expect(ran.length).toBe(500)
})

test('the mean wait of a simulated processor with random arrivals equals the formula for M/D/1', () => {
  const simulation = new Simulation()
  const processor = new Processor(simulation)
  const random = seededBy(1, 'arrivals')
  const share = 0.75
  let waited = 0
  let arrives = 0
  const COUNT = 200_000
  for (let n = 0; n < COUNT; n++) {
    arrives += -Math.log(1 - random()) / share
    const at = arrives
    const done = () => {
      waited += simulation.now - at - 1
    }
    simulation.after(at, () => processor.work(1, done))
  }
  simulation.run()
  // Pollaczek-Khinchine: share / (2 × (1 - share)) of the time of one work.
  expect(waited / COUNT).toBeCloseTo(share / (2 * (1 - share)), 1)
  expect(processor.busy).toBe(COUNT)
})

test('commits that arrive during a flush share the next flush', () => {
  const simulation = new Simulation()
  const store = new GroupCommit(simulation, { flushMs: 10, eachMs: 1 })
  const done: number[] = []
  for (const at of [0, 1, 2, 30]) simulation.after(at, () => store.commit(() => done.push(simulation.now)))
  simulation.run()
  expect(done).toEqual([11, 23, 23, 41])
})
