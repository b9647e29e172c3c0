import type { AccountProvider } from '../api/account-provider.ts'
import type { WaitingKernel } from '../waiting/waiting-kernel.ts'
import { accountChanged } from './start-connecting.ts'

/** Receives changes of accounts from the provider itself, if it reports them (`changes`). */
export class ProviderChanges {
  private readonly kernel: WaitingKernel
  private provider: AccountProvider | undefined
  private leave: (() => void) | undefined

  constructor(kernel: WaitingKernel) {
    this.kernel = kernel
  }

  /** Listens to the provider that is configured now; a hot reload may have brought another one. */
  follow(): void {
    const { accounts } = this.kernel.settings
    if (accounts === this.provider) return
    this.stop()
    this.provider = accounts
    this.leave = accounts?.changes?.(({ owner, integration }) =>
      this.kernel.background(
        'looking at questions that wait for an account',
        accountChanged(this.kernel, owner, integration),
      ),
    )
  }

  stop(): void {
    this.leave?.()
    this.leave = this.provider = undefined
  }
}
