import type { Explained } from './type.ts'

export const inClientAndTokens: readonly Explained[] = [
  {
    file: 'packages/core/src/client/connector.ts',
    kind: 'step left out',
    was: 'unwake()',
    why: 'only performance: an unneeded timer finds nothing to do',
  },
  {
    file: 'packages/core/src/client/listeners.ts',
    kind: 'step left out',
    was: 'byTopic.delete(key)',
    why: 'only memory: a topic without listeners stays as an empty set',
  },
  {
    file: 'packages/server/src/security/return-to.ts',
    kind: 'guard removed',
    was: "if (url.protocol !== 'https:' && url.protocol !== 'http:') return null",
    why: 'second line: the text has to begin with a path or with http(s)://, which is checked first',
  },
  {
    file: 'packages/server/src/store/shared/change-row.ts',
    kind: 'branch never taken',
    was: 'if (conflicts > 3) await pause',
    why: 'only performance: those who collide try again at once',
  },
  {
    file: 'packages/core/src/tokens/refresh-account.ts',
    kind: 'boundary moved',
    was: 'round < MAX_ROUNDS',
    why: 'only a limit: a hundred and one rounds instead of a hundred',
  },
  {
    file: 'packages/server/src/security/jwt.ts',
    kind: 'error not thrown',
    was: 'throw invalid()',
    why: 'equivalent: no other secret has signed what one did, and after the last one it is invalid',
  },
  {
    file: 'packages/core/src/tokens/fetch-with-token.ts',
    kind: 'not waited for',
    was: 'await response.body?.cancel()',
    why: 'only sooner: the second request leaves while the body of the first is still being dropped',
  },
  {
    file: 'packages/core/src/tokens/token-manager.ts',
    kind: 'default dropped',
    was: 'next?.tokens ?? null',
    why: 'equivalent: it is only asked whether there are tokens',
  },
  {
    file: 'packages/core/src/tokens/freshness.ts',
    kind: 'boundary moved',
    was: 'one > other',
    why: 'equivalent: it is asked only where they are not the same',
  },
  {
    file: 'packages/core/src/tokens/freshness.ts',
    kind: 'boundary moved',
    was: 'a.version > b.version',
    why: 'equivalent: copies of one version are the same record',
  },
  {
    file: 'packages/core/src/tokens/freshness.ts',
    kind: 'boundary moved',
    was: 'count > 0',
    why: 'equivalent: a count of 0 is 0 either way',
  },
  {
    file: 'packages/core/src/tokens/browser-token-store.ts',
    kind: 'step left out',
    was: 'clearTimeout(timer)',
    why: 'only performance: what the timer does was done',
  },
  {
    file: 'packages/core/src/tokens/browser-token-store.ts',
    kind: 'step left out',
    was: 'waiting.delete(answered)',
    why: 'only memory: who was answered is answered once more, which changes nothing',
  },
]
