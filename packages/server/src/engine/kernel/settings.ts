import type { HoldpointOptions, HookOptions, SecurityOptions, TimingOptions } from '../../options.ts'

type Groups = 'timing' | 'hooks' | 'security' | 'http'

/** The options that the engine reads, without groups and with defaults applied. They can change on hot reload. */
export type Settings = Omit<HoldpointOptions, Groups | 'waiting'> &
  HookOptions &
  Pick<SecurityOptions, 'authorize' | 'authorizePolicy' | 'vaultKeys'> &
  Required<Omit<TimingOptions, 'maxDurationMs'>> &
  Pick<TimingOptions, 'maxDurationMs'> &
  Required<Pick<HoldpointOptions, 'waiting'>>
