/** One of several processes: reads a line, asks for a token from many callers at once, prints what they got. */
import { fileLock, fileTokenStore } from '../../src/node/index.ts'
import { createTokenManager } from '../../src/tokens/index.ts'
import { refreshWith } from './refresh-with.ts'

const [folder = '', issuer = '', callers = '20'] = process.argv.slice(2)
const make = () =>
  createTokenManager({
    store: fileTokenStore({ folder }),
    lock: fileLock({ folder }),
    refresh: (tokens, { signal }) => refreshWith(issuer, tokens, signal),
  })
// Two managers, as two copies of a module would make them, must not refresh twice either.
const managers = [make(), make()]
process.stdout.write('ready\n')
process.stdin.once('data', async () => {
  const calls = Array.from({ length: Number(callers) }, (_, n) => managers[n % 2]!.token())
  const outcomes = await Promise.all(calls.map((call) => call.catch((error) => `error: ${error.code ?? error}`)))
  process.stdout.write(`${JSON.stringify([...new Set(outcomes)])}\n`, () => process.exit(0))
})
