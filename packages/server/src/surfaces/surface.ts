import type { Json } from '../base/canonical-json.ts'
import type { InteractionRecord } from '../engine/api/interactions.ts'
import type { Holdpoint } from '../holdpoint.ts'
import type { Route } from '../http/routing/route.ts'

/** The recipient of one message, and the facts that identify the message. */
export interface Recipient {
  tenant: string
  userId: string
  /** 0 for the first message about an interaction, then the number of the reminder. */
  reminder: number
  /**
   * The id of the delivery, which is the same for every attempt. Pass it to the provider if it recognizes repetitions.
   */
  deliveryId: string
  /** True if an earlier attempt may have sent this message. */
  repeat: boolean
  /** Only for a reminder: the reference that the previous message returned. */
  previous?: Json
}

/** The addresses at which the recipient can answer. */
export interface SurfaceLinks {
  /** Creates a link that works without a login, for this recipient and this interaction. */
  answer(): Promise<string>
  /** The address of the page for a recipient who signs in. */
  page: string
}

/**
 * A way to reach a person: e-mail, a chat platform, push. Holdpoint calls it through deliveries, at least once for each
 * message, with backoff, on any node. A rejected call is repeated. If it keeps failing, the other messages of its
 * recipient wait. An error with `retryAfterMs` makes all messages of the surface wait, or only those of this recipient
 * if the error also has `recipientOnly: true`. A surface whose calls fail for three recipients in a row waits for at
 * most a minute.
 */
export interface Surface<Ref extends Json = Json> {
  /** The name of the surface in routes and in the store. Do not change it while messages are open. */
  readonly name: string
  /**
   * Shows an open interaction to a user. Returns a reference as JSON, with which `update` changes the message later, or
   * null if the user cannot be reached on this surface.
   */
  present(interaction: InteractionRecord, recipient: Recipient, links: SurfaceLinks): Promise<Ref | null>
  /** Changes the message to show the outcome of the interaction, in `interaction.outcome` and `interaction.answer`. */
  update(ref: Ref, interaction: InteractionRecord, recipient: Recipient): Promise<void>
  /**
   * Returns the reference of a message with this `deliveryId` that was already sent, or null. It is called when a
   * process died between sending the message and storing the reference. Without this method, such a message is sent
   * again.
   */
  find?(interaction: InteractionRecord, recipient: Recipient): Promise<Ref | null>
  /**
   * Returns routes below the mount point for requests of the provider. Each handler must authenticate its requests, for
   * example by a signature.
   */
  routes?(holdpoint: Holdpoint): readonly Route[]
}
