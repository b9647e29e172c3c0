/** A room whose defences are removed one at a time, and the tests that have to notice. */
export interface MutatedRoom {
  sources: string[]
  tests: string[]
}

export const rooms: Record<string, MutatedRoom> = {
  engine: {
    sources: ['packages/server/src/engine'],
    tests: ['packages/server/src/engine', 'packages/server/test/engine'],
  },
  machine: {
    sources: ['packages/core/src/machine', 'packages/core/src/client'],
    tests: ['packages/core/src/machine', 'packages/core/src/client', 'packages/core/test/client-duties.test.ts'],
  },
  tokens: {
    sources: ['packages/core/src/tokens', 'packages/server/src/auth'],
    tests: [
      'packages/core/src/tokens',
      'packages/core/test/tokens/strict-rotation.test.ts',
      'packages/core/test/tokens/faulty-provider.test.ts',
      'packages/server/src/auth',
      'packages/server/test/connections',
    ],
  },
  memory: {
    sources: ['packages/server/src/store/memory.ts', 'packages/server/src/store/memory'],
    tests: ['packages/server/src/store/memory.test.ts', 'packages/server/test/engine/basics.test.ts'],
  },
  sqlite: {
    sources: ['packages/server/src/store/sqlite.ts', 'packages/server/src/store/sqlite'],
    tests: ['packages/server/src/store/sqlite', 'packages/server/test/store/sqlite'],
  },
  postgres: {
    sources: ['packages/server/src/store/postgres.ts', 'packages/server/src/store/postgres'],
    tests: ['packages/server/src/store/postgres', 'packages/server/test/store/postgres'],
  },
  redis: {
    sources: ['packages/server/src/store/redis.ts', 'packages/server/src/store/redis'],
    tests: ['packages/server/src/store/redis', 'packages/server/test/store/redis'],
  },
}
