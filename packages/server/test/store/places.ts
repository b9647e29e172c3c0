import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that is gone after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdpoint-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A file system of a fixed size, or undefined where this user may not mount one. */
export function smallDisk(size: string): string | undefined {
  const path = folder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', path])
  })
  return path
}

/** Mounts the file system of a folder of `smallDisk` again as read-only. */
export function remountReadonly(disk: string): void {
  execFileSync('mount', ['-o', 'remount,ro', disk], { stdio: 'ignore' })
}

/** Removes the right to write from all users, root included; false if that is not possible. */
export function makeReadonly(path: string): boolean {
  if (process.getuid?.() !== 0) {
    chmodSync(path, 0o444)
    return true
  }
  try {
    execFileSync('chattr', ['+i', path], { stdio: 'ignore' })
  } catch {
    return false
  }
  onTestFinished(() => {
    execFileSync('chattr', ['-i', path])
  })
  return true
}
