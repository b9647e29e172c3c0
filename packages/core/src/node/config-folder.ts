import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Returns the folder of a program's own files: `%APPDATA%\name`, `$XDG_CONFIG_HOME/name`, otherwise `~/.config/name`.
 *
 * @example const folder = configFolder('notes-cli')
 */
export function configFolder(
  name: string,
  { env = process.env, platform = process.platform, home = homedir() } = {},
): string {
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), name)
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), name)
}
