import type { WaitingKernel } from '../waiting/waiting-kernel.ts'
import type { SecretVault } from './secret-vault.ts'

/** The kernel with the vault for what people type into `secret` fields. */
export interface AnsweringKernel extends WaitingKernel {
  readonly vault: SecretVault
}
