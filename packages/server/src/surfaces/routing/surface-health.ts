import { retryAfterOf } from '../../engine/delivery/later.ts'
import { afterFailure, type Hold, heldForMs, NO_HOLD } from './holds.ts'

/** The number of recipients that must fail without a success in between, to count as a failure of the provider. */
const RECIPIENTS = 3
const FIRST_HOLD_MS = 5_000
const LONGEST_HOLD_MS = 60_000
const MOST_RECIPIENTS = 1_000

/**
 * Decides how long messages of a surface or of one of its recipients are held back. A failure holds back the messages
 * of its recipient. Failures of several recipients, or a delay that the provider requests, hold back all messages.
 */
export class SurfaceHealth {
  /** The time before which the provider is not called. */
  private until = 0
  /** The number of times that the surface was held back since the last success. */
  private holds = 0
  private readonly recipients = new Map<string, Hold>()
  /** Recipients that failed since the last success. */
  private readonly failing = new Set<string>()

  heldForMs(recipient: string, now: number): number {
    const own = this.recipients.get(recipient) ?? NO_HOLD
    return Math.max(this.until - now, heldForMs(own, now))
  }

  succeeded(recipient: string): void {
    this.holds = 0
    this.failing.clear()
    this.recipients.delete(recipient)
  }

  failed(recipient: string, now: number, error: unknown): void {
    const retryAfterMs = retryAfterOf(error)
    const isOwn = isRecipientOnly(error)
    this.holdRecipient(recipient, now, isOwn ? retryAfterMs : 0)
    if (!isOwn) this.until = Math.max(this.until, now + retryAfterMs, now + this.troubleMs(recipient))
  }

  /** Returns how long all messages wait because several recipients failed; 0 if they need not wait. */
  private troubleMs(recipient: string): number {
    this.failing.add(recipient)
    if (this.failing.size < RECIPIENTS) return 0
    this.failing.clear()
    return Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** this.holds++)
  }

  private holdRecipient(recipient: string, now: number, retryAfterMs: number): void {
    const hold = afterFailure(this.recipients.get(recipient) ?? NO_HOLD, now, retryAfterMs)
    // Inserted again at the end, so that the recipient that failed last is dropped last.
    this.recipients.delete(recipient)
    this.recipients.set(recipient, hold)
    const [oldest] = this.recipients.keys()
    if (this.recipients.size > MOST_RECIPIENTS && oldest !== undefined) this.recipients.delete(oldest)
  }
}

const isRecipientOnly = (error: unknown) => (error as { recipientOnly?: unknown } | null)?.recipientOnly === true
