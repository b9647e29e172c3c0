/** A room whose defenses are removed one at a time, and what the test files that have to notice begin with. */
export interface MutatedRoom {
  sources: string[]
  tests: string[]
}

export const rooms: Record<string, MutatedRoom> = {
  engine: {
    sources: ['packages/server/src/engine'],
    tests: [
      'packages/server/src/engine',
      // Without `kill`, whose one test takes minutes; `crash-points` knows the same moments by name.
      'packages/server/test/engine/[!k]*',
      'packages/server/test/tools',
      'packages/server/test/accounts/in-a-run',
      'packages/server/test/accounts/ask',
    ],
  },
  machine: {
    sources: ['packages/core/src/machine', 'packages/core/src/client'],
    tests: ['packages/core/src/machine', 'packages/core/src/client', 'packages/core/test/client-duties'],
  },
  tokens: {
    sources: ['packages/core/src/tokens', 'packages/server/src/security'],
    tests: [
      'packages/core/src/tokens',
      'packages/core/test/tokens/strict-rotation',
      'packages/core/test/tokens/faulty-provider',
      'packages/server/src/security',
      'packages/server/test/accounts/refresh',
      'packages/server/test/accounts/secrets',
    ],
  },
  memory: {
    // With the modules that all drivers use.
    sources: [
      'packages/server/src/store/memory',
      'packages/server/src/store/shared/driver.ts',
      'packages/server/src/store/shared',
    ],
    tests: [
      ...['memory', 'shared'].map((name) => `packages/server/src/store/${name}`),
      'packages/server/test/engine/basics',
    ],
  },
  sqlite: {
    sources: [
      'packages/server/src/store/sqlite',
      'packages/server/src/store/shared/group-commit.ts',
      'packages/server/src/store/shared/commit-size.ts',
    ],
    tests: [
      'packages/server/src/store/sqlite',
      'packages/server/src/store/shared/group',
      'packages/server/test/store/sqlite',
      'packages/server/test/store/disk-full',
    ],
  },
  postgres: {
    sources: ['packages/server/src/store/postgres'],
    tests: ['packages/server/src/store/postgres', 'packages/server/test/store/postgres'],
  },
  redis: {
    sources: ['packages/server/src/store/redis'],
    tests: ['packages/server/src/store/redis', 'packages/server/test/store/redis'],
  },
}
