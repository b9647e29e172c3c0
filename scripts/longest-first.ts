import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take minutes, the longest first. */
const LONG = [
  'test/strangers/strangers.test.ts',
  'test/examples/nextjs.test.ts',
  'test/journeys/journeys.test.ts',
  'test/examples/nextjs-together.test.ts',
  'test/soak/postgres.test.ts',
  'test/soak/sqlite.test.ts',
  'packages/server/test/nodes/shown/redis.test.ts',
  'packages/server/test/nodes/shown/postgres.test.ts',
  'packages/server/test/nodes/shown/shown-model.test.ts',
  'test/guides/guides.test.ts',
  'packages/react/test/visual.test.ts',
  'packages/server/test/bridges/use-chat/use-chat-trouble.test.ts',
  'packages/server/test/bridges/use-chat/use-chat.test.ts',
]

/** Begins with the files that take minutes, so that no worker is left alone with one of them at the end of a run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONG.indexOf(relative(process.cwd(), moduleId))
      return at < 0 ? LONG.length : at
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}
