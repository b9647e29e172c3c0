import { execFileSync, spawnSync } from 'node:child_process'

/**
 * Returns how to run PostgreSQL's programs, which refuse to run as root; undefined if there is no way. They run as the
 * user `postgres`. If that user may not write to /dev/null (as in some containers), they run in a user namespace, where
 * root has another name and still owns its files.
 */
export function serverUser(): { prefix: string[]; owner?: { uid: number; gid: number } } | undefined {
  if (process.getuid?.() !== 0) return { prefix: [] }
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  try {
    const [uid, gid] = [idOf('-u'), idOf('-g')]
    const ways = [
      { prefix: ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'], owner: { uid, gid } },
      { prefix: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`] },
    ]
    return ways.find(({ prefix: [program = '', ...args] }) => {
      return spawnSync(program, [...args, 'sh', '-c', ': > /dev/null'], { stdio: 'ignore' }).status === 0
    })
  } catch {
    return undefined
  }
}
