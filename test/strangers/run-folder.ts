import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Set-up of a run: a folder outside of the workspace, which all test files share, and which goes with the run. */
export default function setUp(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-run-'))
  process.env.HOLDPOINT_RUN_FOLDER = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
