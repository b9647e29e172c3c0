import { execFileSync, spawnSync } from 'node:child_process'

/**
 * How PostgreSQL's programs are run, which refuse to be root; undefined where there is no way. As the user `postgres`;
 * where that one may not write to /dev/null (some containers), in a user namespace: there root has another name, and
 * root's files are still its own.
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
