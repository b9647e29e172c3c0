import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, renameSync, writeFileSync } from 'node:fs'
import { type Integration, integrations as known } from '../../connect/integrations.ts'
import { type BridgeRequest, parseRequestLine, responseText, sealedPath, sealVariables } from './bridge-format.ts'

/** The port to the sandbox's file system. */
export interface SandboxFiles {
  /** Writes a new file that only its owner can read. */
  write(path: string, text: string): Promise<void>
  /** Moves it to its destination and replaces an existing file without following links. */
  rename(from: string, to: string): Promise<void>
}

/** Settings of the host's side of the bridge: access to the sandbox's files, and how to ask the person. */
export interface SandboxHostOptions {
  /** From `createBridgeKey()`; the runner received it as the first line of its stdin. */
  key: string
  files: SandboxFiles
  /** The accounts that this session may use. */
  allowed: readonly string[]
  /**
   * Asks the person and returns tokens by integration; null if the request was cancelled. With the server's `ctx`:
   * `async ({ integrations, reason }) => tokensOf(await ctx.connect({ integrations, reason }))`.
   */
  connect(asked: { integrations: readonly string[]; reason?: string }): Promise<Readonly<Record<string, string>> | null>
  integrations?: Readonly<Record<string, Integration>>
  now?(): number
}

/**
 * Creates the host's side of the bridge. Pass it the lines that a sandbox prints. It resolves with true for requests of
 * the runner, after it answered them. A line that was not written with the key is not a request. An account that the
 * session may not use is refused without asking the user.
 *
 * @example
 * const host = createSandboxHost({ key, files: localFiles(), allowed: ['slack'], connect })
 * for await (const line of createInterface(sandbox.stdout)) if (!(await host.line(line))) log(line)
 */
export function createSandboxHost(options: SandboxHostOptions): { line(text: string): Promise<boolean> } {
  const { key, files, allowed, connect, integrations = known, now = Date.now } = options
  const seen = new Set<string>()

  async function answer({ id, path, integrations: asked, reason }: BridgeRequest): Promise<void> {
    const permitted = asked.length > 0 && asked.every((one) => allowed.includes(one))
    const tokens = permitted
      ? await connect({ integrations: asked, ...(reason === undefined ? {} : { reason }) }).catch(() => null)
      : null
    const variables = Object.fromEntries(
      Object.entries(tokens ?? {}).flatMap(([one, token]) => {
        const entry = asked.includes(one) && Object.hasOwn(integrations, one) ? integrations[one] : undefined
        return entry ? [[entry.variable, token]] : []
      }),
    )
    if (tokens) await put(sealedPath(path), sealVariables(key, id, variables))
    const response = { id, success: tokens !== null, integrations: asked, timestamp: now(), sealed: tokens !== null }
    await put(path, responseText(key, response))
  }

  /** Atomically, and replacing a link instead of following it. */
  async function put(path: string, text: string): Promise<void> {
    const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`
    await files.write(draft, text)
    await files.rename(draft, path)
  }

  return {
    async line(text) {
      const request = parseRequestLine(key, text)
      if (!request) return false
      // A repeated line does not ask again.
      if (!seen.has(request.id)) {
        seen.add(request.id)
        await answer(request)
      }
      return true
    },
  }
}

/**
 * Accesses files of this machine, for a sandbox that is a folder or a container's volume.
 *
 * @example createSandboxHost({ key, files: localFiles(), allowed: ['slack'], connect })
 */
export function localFiles(): SandboxFiles {
  return {
    async write(path, text) {
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
      const file = openSync(path, flags, 0o600)
      try {
        writeFileSync(file, text)
      } finally {
        closeSync(file)
      }
    },
    rename: async (from, to) => renameSync(from, to),
  }
}

/**
 * Accesses files of any sandbox that can write a file and run a command.
 *
 * @example
 * sandboxFiles({
 *   write: (path, text) => sandbox.files.write(path, text),
 *   run: (command) => sandbox.commands.run(command),
 * })
 */
export function sandboxFiles(sandbox: {
  write(path: string, text: string): Promise<unknown>
  run(command: string): Promise<unknown>
}): SandboxFiles {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return {
    async write(path, text) {
      await sandbox.write(path, text)
      await sandbox.run(`chmod 600 -- ${quote(path)}`)
    },
    async rename(from, to) {
      await sandbox.run(`mv -f -- ${quote(from)} ${quote(to)}`)
    },
  }
}
