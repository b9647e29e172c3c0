import { expect, test, vi } from 'vitest'
import { processes } from '../../scripts/processes.ts'

/** One program with all its output. */
function run(script: string) {
  const shown: string[] = []
  const running = processes({ cwd: process.cwd(), env: {}, showError: (text) => shown.push(text) })
  const ended: string[] = []
  running.onEnd((said) => ended.push(said))
  running.start('the example', ['-e', script])
  return { running, ended, shown: () => shown.join('') }
}

test('the demo shows why a request failed, and no other output of the example', async () => {
  const { running, ended, shown } = run(
    `console.log('ready'); console.error('[holdpoint] A request failed: žluťoučký'); setInterval(() => {}, 1_000)`,
  )
  await vi.waitFor(() => expect(shown()).toBe('[holdpoint] A request failed: žluťoučký\n'))
  await running.stop()
  expect([shown(), ended]).toEqual(['[holdpoint] A request failed: žluťoučký\n', []])
})

test('the demo shows the output of an example that exits by itself', async () => {
  const { running, ended, shown } = run(`console.log('almost ready'); console.error('no'); process.exitCode = 3`)
  await vi.waitFor(() => expect(ended).toEqual(['\n  the example ended (3):\nalmost ready\n']))
  expect(shown()).toBe('no\n')
  await running.stop()
})
