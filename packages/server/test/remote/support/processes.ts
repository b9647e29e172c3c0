import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** A process of its own with a server in it. */
export async function startProcess<Word extends { type: string }>(file: string, setup: object) {
  const flags = ['--conditions=holdpoint-source', '--disable-warning=ExperimentalWarning']
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [...flags, path, JSON.stringify(setup)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = async () => {
    child.kill('SIGKILL')
    await gone
  }
  onTestFinished(kill)
  const words: Word[] = []
  const waiting = new Set<() => void>()
  child.on('message', (message) => {
    words.push(message as Word)
    for (const look of [...waiting]) look()
  })
  const hear = <Type extends Word['type']>(type: Type): Promise<Extract<Word, { type: Type }>> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const index = words.findIndex((word) => word.type === type)
        if (index < 0) return
        waiting.delete(look)
        resolve(words.splice(index, 1)[0] as Extract<Word, { type: Type }>)
      }
      waiting.add(look)
      void gone.then(() => reject(new Error(`${file} ended before it said "${type}"`)))
      look()
    })
  return { kill, hear, say: (message: object) => void child.send(message) }
}
