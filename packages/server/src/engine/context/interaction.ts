import type { ToolContext } from '../api/tool-context.ts'
import type { ToolParticipant } from './tool-participant.ts'

/** Whether clients are present. A class, because V8 keeps a literal with a getter as a dictionary of 250 bytes. */
export class Interaction implements Readonly<ToolContext['interaction']> {
  readonly check: () => Promise<boolean>
  readonly #participant: ToolParticipant

  constructor(participant: ToolParticipant) {
    const { kernel, execution } = participant
    const { tenant, sessionId, userId } = execution.identity
    this.#participant = participant
    this.check = async () => {
      await kernel.ready()
      return (await kernel.presence.watching(tenant, sessionId)).able.has(userId)
    }
  }

  get available(): boolean {
    const { kernel, execution } = this.#participant
    const { tenant, sessionId, userId } = execution.identity
    return kernel.presence.lastKnown(tenant, sessionId)?.able.has(userId) ?? false
  }
}
