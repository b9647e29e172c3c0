/** A runner inside a sandbox: reads the key from stdin, runs the tool behind a shell, and reports the result. */
import { bridgeKeyFromStdin, createSandboxBridge } from '../../src/node/index.ts'

const [folder = '', timeoutMs = '5000', ...toolArgs] = process.argv.slice(2)
const bridge = createSandboxBridge({ key: bridgeKeyFromStdin(), folder, timeoutMs: Number(timeoutMs) })
const tool = new URL('./tool-process.ts', import.meta.url).pathname
const node = `"${process.execPath}" --disable-warning=ExperimentalWarning "${tool}"`
// A shell in between: an export in one shell does not reach the next one, an environment does.
const result = await bridge.run('/bin/sh', ['-c', `${node} "$@"; exit $?`, 'sh', ...toolArgs], {
  integrations: ['slack'],
})
process.stdout.write(`\n${JSON.stringify({ done: result })}\n`)
