/**
 * One of several processes that count in the same account: read, add one, write if no other was faster, otherwise
 * repeat.
 */
import { fileTokenStore } from '../../src/node/index.ts'

const [folder = '', rounds = '50'] = process.argv.slice(2)
const store = fileTokenStore({ folder })
for (let n = 0; n < Number(rounds); ) {
  const before = await store.read('counter')
  const count = Number(before?.data.count ?? 0) + 1
  const next = { version: `${count}.${process.pid}.${n}`, tokens: null, data: { count: String(count) } }
  if (await store.write('counter', before?.version ?? null, next)) n++
}
