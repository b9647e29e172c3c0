import { HoldpointError } from '@holdpoint/core'
import type { Execution } from '../calls/execution.ts'
import type { AnsweringKernel } from './answering-kernel.ts'
import { secretId } from './secret-vault.ts'

/** Opens a secret that was typed in this session. */
export async function openSecret(
  kernel: AnsweringKernel,
  { partition }: Execution,
  reference: string,
): Promise<string> {
  await kernel.ready()
  const id = secretId(reference)
  const row = id === null ? null : await kernel.transact(partition, async (tx) => (await tx.read(['secret', id]))[0])
  if (id === null || !row) {
    throw new HoldpointError(
      'unknown_secret',
      'This is no reference to a secret of this session. Pass the value of the `secret` field as the form handed it in.',
    )
  }
  return kernel.vault.open(partition, id, row)
}
