/** A process counts the questions of a session again after it has asked this share of the room that it found. */
const SHARE = 8
/** Other processes ask too, so what was counted holds for a while only. */
const COUNTED_MS = 60_000
const SESSIONS = 10_000

interface Limits {
  readonly openQuestions: number
  readonly openQuestionBytes: number
}

/**
 * The number of questions that this process may still ask in a session before it counts the open ones again. Counting
 * loads them all, so it is not repeated for each question. Eight processes that each consume their share cannot exceed
 * the limit together, and answered questions only make room. A limit below eight is counted for each question.
 */
export class QuestionRoom {
  private readonly limits: Limits
  private readonly now: () => number
  private readonly left = new Map<string, { questions: number; bytes: number; until: number }>()

  constructor(limits: Limits, now: () => number) {
    this.limits = limits
    this.now = now
  }

  /** So many questions of so many bytes were found; none in a session that is created with this commit. */
  counted(partition: string, found: { questions: number; bytes: number }): void {
    const { openQuestions, openQuestionBytes } = this.limits
    const questions = Math.floor((openQuestions - found.questions) / SHARE)
    const bytes = (openQuestionBytes - found.bytes) / SHARE
    this.left.delete(partition)
    if (this.left.size >= SESSIONS) this.dropOldest()
    this.left.set(partition, { questions, bytes, until: this.now() + COUNTED_MS })
  }

  /** Whether one more can be asked without counting. */
  has(partition: string): boolean {
    const room = this.left.get(partition)
    return room !== undefined && room.questions > 0 && room.bytes > 0 && this.now() < room.until
  }

  /** A question of so many characters was asked. */
  use(partition: string, bytes: number): void {
    const room = this.left.get(partition)
    if (!room) return
    room.questions--
    room.bytes -= bytes
  }

  /** Drops a quarter at once, because a map passes all its deleted keys to find the oldest one. */
  private dropOldest(): void {
    for (const partition of this.left.keys()) {
      if (this.left.size <= SESSIONS * 0.75) return
      this.left.delete(partition)
    }
  }
}
