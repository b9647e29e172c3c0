/** A runner inside a sandbox: takes the key from stdin, runs the tool behind a shell, says how it ended. */
import { bridgeKeyFromStdin, createSandboxBridge } from '../../src/node/index.ts'

const [folder = '', timeoutMs = '5000', ...toolArgs] = process.argv.slice(2)
const bridge = createSandboxBridge({ key: bridgeKeyFromStdin(), folder, timeoutMs: Number(timeoutMs) })
const tool = new URL('./tool-process.ts', import.meta.url).pathname
const node = `"${process.execPath}" --disable-warning=ExperimentalWarning "${tool}"`
// A shell in between: what one shell exports does not reach the next, an environment does.
const result = await bridge.run('/bin/sh', ['-c', `${node} "$@"; exit $?`, 'sh', ...toolArgs], {
  integrations: ['slack'],
})
process.stdout.write(`\n${JSON.stringify({ done: result })}\n`)
