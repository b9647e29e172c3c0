import type { Json } from '../base/canonical-json.ts'
import type { InteractionRecord } from '../engine/api/interactions.ts'
import type { Holdpoint } from '../holdpoint.ts'
import type { Route } from '../http/routing/route.ts'

/** The user of one message, and which message it is. */
export interface Recipient {
  tenant: string
  userId: string
  /** 0 for the first message about an interaction, then the number of the reminder. */
  reminder: number
  /** The same for every attempt at this message: pass it to the provider if it recognizes repeats. */
  deliveryId: string
  /** An earlier attempt may have sent this message. */
  repeat: boolean
  /** Of a reminder: the reference that the message before it returned. */
  previous?: Json
}

/** Addresses at which the recipient can answer. */
export interface SurfaceLinks {
  /** Creates a link that works without a login, for this recipient and this interaction. */
  answer(): Promise<string>
  /** The page for a recipient who signs in. */
  page: string
}

/**
 * A way to reach a person: e-mail, a chat platform, push. Holdpoint calls it through deliveries, at least once for each
 * message, with backoff, on any node. A rejected call is repeated, and the other messages of its recipient wait if it keeps
 * failing. An error with `retryAfterMs` makes all messages of the surface wait, or those of this recipient if the error has
 * `recipientOnly: true` as well. A surface whose calls fail for three recipients in a row waits for at most a minute.
 */
export interface Surface<Ref extends Json = Json> {
  /** Names the surface in routes and in the store. Do not change it while messages are open. */
  readonly name: string
  /**
   * Shows an open interaction to a user. Returns what `update` needs to change the message later, as JSON, or null if the
   * user cannot be reached here.
   */
  present(interaction: InteractionRecord, recipient: Recipient, links: SurfaceLinks): Promise<Ref | null>
  /** Changes the message to show the outcome of the interaction, in `interaction.outcome` and `interaction.answer`. */
  update(ref: Ref, interaction: InteractionRecord, recipient: Recipient): Promise<void>
  /**
   * Returns the reference of a message with this `deliveryId` that was sent already, or null. It is called when a process
   * died between sending and storing. Without it, such a message is sent again.
   */
  find?(interaction: InteractionRecord, recipient: Recipient): Promise<Ref | null>
  /** Routes below the mount point for what the provider sends. Each request must prove itself, by a signature. */
  routes?(holdpoint: Holdpoint): readonly Route[]
}
