import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { HoldpointError } from '../error.ts'
import type { AccountRecord, TokenStore } from '../tokens/types.ts'
import { fileLock } from './files/file-lock.ts'
import { ensurePrivateFolder, readPrivateFile, replacePrivateFile } from './files/private-files.ts'

/** Comparing and renaming take a millisecond, so a longer wait means that another process hangs. */
const WRITE_WAIT_MS = 5_000

/**
 * Stores tokens in one file per account, for command-line programs: folder mode 0700, file mode 0600 from its first
 * byte, atomic replacement, no symbolic links, safe for any number of processes.
 *
 * @example
 * const folder = join(homedir(), '.config', 'my-cli')
 * const tokens = createTokenManager({ store: fileTokenStore({ folder }), lock: fileLock({ folder }), refresh })
 */
export function fileTokenStore({ folder }: { folder: string }): TokenStore {
  const lock = fileLock({ folder })
  const pathOf = (account: string) => join(folder, `${fileName(account)}.json`)

  async function read(account: string): Promise<AccountRecord | null> {
    return parse(readPrivateFile(pathOf(account)), pathOf(account))
  }

  return {
    read,
    async write(account, expected, next) {
      const path = pathOf(account)
      ensurePrivateFolder(folder)
      const ran = await lock.run(`write:${account}`, WRITE_WAIT_MS, async () => {
        const current = parse(readPrivateFile(path), path)
        if ((current?.version ?? null) !== expected) return false
        replacePrivateFile(path, `${JSON.stringify(next)}\n`)
        return true
      })
      if (ran.held) return ran.value
      throw new HoldpointError('store_busy', `Timed out waiting for another process that writes ${path}. Try again.`)
    },
  }
}

/** The account's own name if every file system accepts it unambiguously, otherwise a digest of it. */
function fileName(account: string): string {
  const plain = /^[a-z][a-z0-9_-]{0,60}$/.test(account) && !/^(con|nul|prn|aux|com\d|lpt\d)$/.test(account)
  return plain ? account : `~${createHash('sha256').update(account).digest('hex').slice(0, 32)}`
}

function parse(text: string | null, path: string): AccountRecord | null {
  if (text === null) return null
  try {
    const { version, tokens, lost, data } = JSON.parse(text) as AccountRecord
    if (typeof version === 'string' && (tokens === null || typeof tokens?.accessToken === 'string')) {
      return { version, tokens, ...(lost ? { lost } : {}), data: data ?? {} }
    }
  } catch {
    // The parser's message would quote the file.
  }
  throw new HoldpointError('store_damaged', `Cannot read tokens from ${path}. Remove the file, and sign in again.`)
}
