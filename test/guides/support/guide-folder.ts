import { spawn } from 'node:child_process'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@holdpoint/conformance/free-port'
import { installOnce } from '../../strangers/shared.ts'
import { filesOf } from './guide-code.ts'

const APPS = join(import.meta.dirname, '../apps')

/** The packed packages, installed once; each guide gets a folder of its own in there. */
export interface Guides {
  /** Writes the code of these documents, and what the reader adds, into an empty folder. */
  open(app: string, documents: readonly string[]): GuideFolder
}

export interface GuideFolder {
  /** Runs a program of the guide to its end; rejects with its output if it fails. */
  run(command: string, ...args: string[]): Promise<string>
  /** Starts a server and resolves with its address when it listens. */
  start(file: string): Promise<{ url: string; said(): string; stop(): void }>
}

export async function installGuides(env: Record<string, string>): Promise<Guides> {
  const installed = await installOnce()

  return {
    open(app, documents) {
      const { folder } = installed.open(`guide-${app}`)
      // A guide whose code is complete needs no files besides its own.
      if (existsSync(join(APPS, app))) cpSync(join(APPS, app), folder, { recursive: true })
      for (const document of documents) {
        for (const [name, code] of filesOf(document)) writeFileSync(join(folder, name), code)
      }
      const begin = async (command: string, args: readonly string[]) => {
        const bin = command === 'node' ? process.execPath : join(installed.folder, 'node_modules/.bin', command)
        const port = String(await freePort())
        const child = spawn(bin, args, {
          cwd: folder,
          env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: port, ...env },
        })
        const output = { text: '' }
        for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output.text += chunk))
        return { child, output, port }
      }
      return {
        async run(command, ...args) {
          const { child, output } = await begin(command, args)
          const code = await new Promise((done) => child.once('close', done))
          if (code !== 0) throw new Error(`${app}: ${command} ${args.join(' ')} ended with ${code}:\n${output.text}`)
          return output.text
        },
        async start(file) {
          const { child, output, port } = await begin('node', [file])
          await new Promise<void>((done, fail) => {
            child.stdout.on('data', () => output.text.includes('listening on') && done())
            child.once('close', () => fail(new Error(`${app}: ${file} ended:\n${output.text}`)))
          })
          return { url: `http://127.0.0.1:${port}`, said: () => output.text, stop: () => child.kill('SIGKILL') }
        },
      }
    },
  }
}
