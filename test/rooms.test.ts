import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './support/graph.ts'
import { ROOMS, roomGraph, roomsTable } from './support/rooms.ts'

const graph = roomGraph()

test('every room says what it is for', () => {
  expect([...graph.keys()].filter((room) => !(room in ROOMS))).toEqual([])
})

test('the rooms of CONTRIBUTING.md are the rooms of the code, with what they know of each other', () => {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  expect(text, 'run `npx -y pnpm@12 rooms`').toContain(roomsTable(graph))
})

test('decisions know nothing of networks: the machine and the forms import no client, transport or server', () => {
  for (const room of ['core/machine', 'core/forms', 'core/wire', 'core/protocol']) {
    const known = [...(graph.get(room) ?? [])]
    expect(known.filter((one) => !/^core\/(machine|forms|wire|protocol)$/.test(one))).toEqual([])
  }
})

test('the engine and the stores do not know who calls them', () => {
  for (const room of ['server/engine', 'server/store']) {
    const known = [...(graph.get(room) ?? [])]
    expect(known.filter((one) => /^server\/(http|channels|frameworks|bridges|remote|testing)$/.test(one))).toEqual([])
  }
})
