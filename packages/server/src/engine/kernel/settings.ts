import type { AccessOptions, EngineOptions, HookOptions, TimingOptions } from '../api/options.ts'

/** The options that the engine reads, without groups and with defaults applied. They can change on hot reload. */
export type Settings = Omit<EngineOptions, 'timing' | 'hooks' | 'waiting'> &
  HookOptions &
  AccessOptions &
  Required<Omit<TimingOptions, 'maxDurationMs'>> &
  Pick<TimingOptions, 'maxDurationMs'> &
  Required<Pick<EngineOptions, 'waiting'>>
