import { spawn } from 'node:child_process'
import { HoldpointError } from '../error.ts'

type Start = (command: string, args: readonly string[]) => Promise<boolean>

/**
 * Opens an address in the person's browser, without a shell in between. Resolves with false where that does not work
 * (a server, a container): show the address then. Refuses all but https, and http on this machine.
 *
 * @example
 * if (!(await openBrowser(url))) console.log(`Open ${url}`)
 */
export async function openBrowser(
  address: string,
  { platform = process.platform, start = startDetached }: { platform?: string; start?: Start } = {},
): Promise<boolean> {
  const url = new URL(address)
  const local = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && local)
  if (!allowed || url.username || url.password) {
    throw new HoldpointError('url_not_allowed', 'Only https addresses are opened, and http ones of this machine.')
  }
  // As the parser writes it nothing is left that another program could take for an option or for quoting.
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
