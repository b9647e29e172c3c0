import { readFileSync, writeFileSync } from 'node:fs'
import { footprint } from './supply-chain/footprint.ts'
import { dependencyTables, objections, supplyChain } from './supply-chain/page.ts'

/** Writes docs/supply-chain.md: what is installed from node_modules, and, with a network, what an install costs. */
const FILE = 'docs/supply-chain.md'

const found = supplyChain()
const objected = objections(found)
for (const one of objected) console.error(`✗ ${one}`)
if (objected.length > 0) process.exit(1)

let page = put(readFileSync(FILE, 'utf8'), 'dependencies', dependencyTables(found))
if (!process.argv.includes('--no-install')) {
  const day = new Date().toISOString().slice(0, 10)
  page = put(page, 'footprint', `Measured on ${day}, with npm.\n\n${await footprint()}`)
}
writeFileSync(FILE, page)
console.log(`${found.flatMap(({ dependencies }) => dependencies).length} dependencies in ${FILE}`)

function put(text: string, name: string, content: string): string {
  const between = new RegExp(`(<!-- ${name}: begin[^>]*-->\\n)[\\s\\S]*?(\\n<!-- ${name}: end -->)`)
  return text.replace(between, (_, begin, end) => `${begin}\n${content}\n${end}`)
}
