import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { Place } from '../support/stores.ts'
import type { Order, Said } from './messages.ts'

export interface Node {
  do<T>(order: Order): Promise<T>
  /** When the code that waits for this call continues. */
  resumed(callId: string): Promise<number>
  stop(): void
}

/** Starts a node in a process of its own. */
export async function startNode(name: string, place: Place): Promise<Node> {
  const child = fork(join(import.meta.dirname, 'node-process.ts'), [name, JSON.stringify(place)], { stdio: 'inherit' })
  const waiting = new Map<number | string, (value: unknown) => void>()
  const arrived = new Map<string, number>()
  let count = 0
  child.on('message', (said: Said) => {
    const key = 'id' in said ? said.id : said.resumed
    if ('resumed' in said && !waiting.has(key)) arrived.set(said.resumed, said.at)
    waiting.get(key)?.('id' in said ? said.value : said.at)
    waiting.delete(key)
  })
  child.once('exit', (code) => {
    // A benchmark that lost a node has nothing to say.
    if (waiting.size > 0) throw new Error(`node ${name} ended with ${code}`)
  })
  const heard = <T>(key: number | string) =>
    new Promise<T>((resolve) => waiting.set(key, (value) => resolve(value as T)))
  await heard(0)
  return {
    do<T>(order: Order) {
      const id = ++count
      const answer = heard<T>(id)
      child.send({ id, order })
      return answer
    },
    async resumed(callId) {
      const at = arrived.get(callId)
      arrived.delete(callId)
      return at ?? (await heard<number>(callId))
    },
    stop: () => void child.kill('SIGKILL'),
  }
}
