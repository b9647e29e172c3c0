import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long, the longest first: those of the system take minutes, the others many seconds. */
const LONG = [
  'test/strangers/strangers.test.ts',
  'test/examples/nextjs.test.ts',
  'test/journeys/journeys.test.ts',
  'test/examples/nextjs-keyboard.test.ts',
  'test/examples/nextjs-together.test.ts',
  'examples/cli/test/cli.test.ts',
  'test/examples/express.test.ts',
  'test/soak/postgres.test.ts',
  'test/soak/sqlite.test.ts',
  'packages/server/test/nodes/shown/redis.test.ts',
  'packages/server/test/nodes/shown/postgres.test.ts',
  'packages/server/test/nodes/shown/shown-model.test.ts',
  'test/guides/guides.test.ts',
  'test/examples/nextjs-mail.test.ts',
  'test/examples/nextjs-bridges.test.ts',
  'packages/react/test/visual.test.ts',
  'packages/server/test/bridges/use-chat/use-chat-trouble.test.ts',
  'packages/server/test/bridges/use-chat/use-chat.test.ts',
  'packages/server/test/tabs/ten-tabs.test.ts',
  'packages/core/test/bridge/bridge.test.ts',
  'packages/server/test/nodes/nodes.test.ts',
  'packages/server/test/accounts/browser/connecting.test.ts',
  'test/dist.test.ts',
  'packages/server/test/store/postgres-pglite.test.ts',
  'packages/server/test/engine/crash-points.test.ts',
  'packages/server/test/tools/confirmations-crash.test.ts',
  'packages/server/test/channels/http.test.ts',
  'packages/server/test/tabs/leaders.test.ts',
  'packages/server/test/surfaces/routing.test.ts',
]

/**
 * Begins with the files that take minutes, then the other files that start processes, so that no worker is left alone
 * with one of them at the end. The files that share workers run after them: most of them take milliseconds.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const at = LONG.indexOf(relative(process.cwd(), moduleId))
      return at >= 0 ? at : LONG.length + (project.name === 'node' ? 1 : 0)
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}
