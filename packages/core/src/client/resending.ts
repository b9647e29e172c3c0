import { type Core, isClosed } from './client-context.ts'

/** The longest pause before an unsent answer is sent again while the connection is open. */
const RESEND_MS = 25_000

/** Decides when unsent answers are sent again: after a reconnect, and after a pause if only messages were lost. */
export function createResending(
  core: Core,
  /** A client without a stream never reconnects, so it cannot wait for that. */
  listens: () => boolean,
  again: () => void,
): { now(): void; plan(): void } {
  let unplan = () => {}
  const now = () => {
    if (!listens() || core.state.connection.status === 'open') again()
  }
  return {
    now,
    plan() {
      if (isClosed(core)) return
      unplan()
      unplan = core.schedule.after(RESEND_MS * (0.5 + core.env.random() / 2), now)
    },
  }
}
