import { spawn } from 'node:child_process'
import { HoldpointError } from '../error.ts'

type Start = (command: string, args: readonly string[]) => Promise<boolean>

/**
 * Opens an address in the user's browser, without a shell. Resolves with false where this is impossible (a server, a
 * container): show the address then. Accepts only https, and http on this machine.
 *
 * @example if (!(await openBrowser(url))) console.log(`Open ${url}`)
 */
export async function openBrowser(
  address: string,
  { platform = process.platform, start = startDetached }: { platform?: string; start?: Start } = {},
): Promise<boolean> {
  const url = new URL(address)
  const local = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && local)
  if (!allowed || url.username || url.password) {
    throw new HoldpointError(
      'url_not_allowed',
      'Only https addresses can be opened, and http addresses of this machine.',
    )
  }
  // After parsing, the address contains nothing that another program could read as an option or as quoting.
  const target = url.href
  if (platform === 'darwin') return start('open', [target])
  if (platform === 'win32') return start('rundll32.exe', ['url.dll,FileProtocolHandler', target])
  return start('xdg-open', [target])
}

function startDetached(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(command, [...args], { detached: true, stdio: 'ignore', shell: false })
    child.once('error', () => done(false))
    child.once('spawn', () => {
      child.unref()
      done(true)
    })
  })
}
