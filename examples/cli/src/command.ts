import type { AccountsClient } from '@holdpoint/core/accounts'
import type { Arguments } from './arguments.ts'
import type { Screen } from './screen.ts'

export interface CommandInput {
  accounts: AccountsClient
  screen: Screen
  signal: AbortSignal
  options: Arguments
}

/** One word of the program; resolves with its exit code. */
export type Command = (input: CommandInput) => Promise<number>

export const titled = (service: string) => service.charAt(0).toUpperCase() + service.slice(1)
