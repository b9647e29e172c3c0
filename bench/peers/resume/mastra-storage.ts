import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InMemoryStore } from '@mastra/core/storage'
import { LibSQLStore } from '@mastra/libsql'

/**
 * Where Mastra keeps its snapshots: in memory, or in a file by LibSQL, as its documents set storage up. LibSQLStore sets
 * `synchronous = NORMAL`: a commit does not wait for the disk.
 */
export type MastraKept = 'memory' | 'libsql'

export function mastraStorage(kept: MastraKept, nodes: number) {
  // A benchmark is nobody's use of a feature.
  process.env.MASTRA_TELEMETRY_DISABLED ??= '1'
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'))
  return {
    store: (kept === 'memory' ? 'memory' : 'LibSQL file, NORMAL') + (nodes > 1 ? `, ${nodes} nodes` : ''),
    make: (id: string) =>
      kept === 'memory' ? new InMemoryStore() : new LibSQLStore({ id, url: `file:${join(folder, 'mastra.db')}` }),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
}
