import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startNode } from './node-process.ts'
import { person } from './person.ts'
import { onStores, until, type World } from './places.ts'

const ROUNDS = 3

await onStores('a node that shuts down', ['sqlite', 'postgres', 'redis'], (world) => goodbyes(world))

function goodbyes(world: () => World): void {
  test('a node that closes releases its calls at once: another process resumes one within 200 ms [R5.4]', async () => {
    const { store, file, effects } = world()
    // The lease of production: only the goodbye can be this quick.
    const start = (name: string) => startNode({ name, store, leaseMs: 15_000, effects: file })
    const stays = await start('stays')
    const ada = person(stays.url)
    const took: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const mark = `c${round}`
      const leaves = await start(`leaves${round}`)
      const call = { type: 'run' as const, tool: 'confirm' as const, sessionId: mark, runId: 'r' }
      leaves.do({ ...call, toolCallId: mark, mark }).catch(() => {})
      const question = await ada.question(mark, mark)
      await leaves.do({ type: 'close' })
      const closed = performance.now()
      await until(() => effects('begin').includes(`begin ${mark} stays`), 20_000, 2)
      took.push(performance.now() - closed)
      expect((await ada.answer(mark, mark, question)).status).toBe(200)
      await until(() => effects('effect').includes(`effect ${mark} stays`))
      await leaves.kill()
    }
    expect(took.sort((a, b) => a - b)[1]).toBeLessThanOrEqual(200)
  }, 90_000)

  test('close() leaves no timer behind: the process ends at once [R5.5]', async () => {
    const path = fileURLToPath(new URL('./exit.child.ts', import.meta.url))
    const args = ['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning', path]
    const child = spawn(process.execPath, [...args, JSON.stringify(world().store)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = await once(child.stdout, 'data')
    expect(`${said}`).toBe('closed')
    const closed = performance.now()
    await once(child, 'exit')
    expect(performance.now() - closed).toBeLessThan(1_000)
  }, 60_000)
}
