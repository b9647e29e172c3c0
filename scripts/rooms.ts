import { readFileSync, writeFileSync } from 'node:fs'
import { roomsTable } from '../test/support/rooms.ts'

/** Writes the table of rooms in CONTRIBUTING.md from the imports of the code. */
const FILE = 'CONTRIBUTING.md'
const BETWEEN = /(<!-- rooms: begin[^>]*-->\n)[\s\S]*?(\n<!-- rooms: end -->)/

const table = roomsTable()
writeFileSync(
  FILE,
  readFileSync(FILE, 'utf8').replace(BETWEEN, (_, begin, end) => `${begin}${table}${end}`),
)
console.log(`${table.split('\n').length - 2} rooms in ${FILE}`)
