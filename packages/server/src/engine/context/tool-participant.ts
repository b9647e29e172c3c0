import type { AnsweringKernel } from '../answering/answering-kernel.ts'
import type { Participant } from '../waiting/ask-and-wait.ts'

/** A tool call that may ask, and may open the secrets that it asked for. */
export interface ToolParticipant extends Participant {
  kernel: AnsweringKernel
}
