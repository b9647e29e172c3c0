import type { Surface } from '@holdpoint/server/surfaces'

/** The message of one interaction that one user sees on the surface. */
export interface SeenMessage {
  userId: string
  /** How often it was sent, reminders and outcomes left out. */
  sends: number
  /** Reminders that joined it. */
  reminders: number
  /** All text of it, as the user reads it. */
  text: string
  /** How the message says that the question ended; absent while it asks. */
  outcome?: string
}

/** The reaction of a user of the provider to a message. */
export interface Press {
  /** The user whose message it is. */
  messageOf: string
  /** The user of the provider who presses. `stranger` belongs to no user of the app. */
  by: string
  action: 'approve' | 'deny'
}

/** A form that a user fills in on the surface. */
export interface FormPresses {
  /** The signed request of a user who opens the form of a message. */
  open(press: { messageOf: string; by: string }): Request
  /** Whether the provider shows the form to the user. */
  isOpen(): boolean
  /** The values that the form shows, by the labels of its fields. */
  values(): Readonly<Record<string, string>>
  /** The signed request with changed values, by the labels of the fields. Values that are not named stay. */
  submit(by: string, values: Readonly<Record<string, string>>): Request
  /** The same values, without a valid signature. */
  forged(by: string, values: Readonly<Record<string, string>>): Request
  /** Passes the response to the provider, and returns what it shows: the errors that it shows, by the labels of the fields, or `closed`, or a notice. */
  take(reply: Response): Promise<{ errors?: Record<string, string>; closed?: boolean; notice?: string }>
}

/** A surface with a double of its provider. */
export interface SurfaceWorld {
  surface: Surface
  messages(): readonly SeenMessage[]
  provider: {
    /** Every call fails until `up`. */
    down(): void
    up(): void
    /** Refuses the next call, and asks to wait. */
    limitOnce(seconds: number): void
    /** Calls that reached the provider. */
    calls(): number
  }
  /** If users can answer on the surface: the signed request that the provider sends. */
  press?(press: Press): Promise<Request> | Request
  /** If users can fill in forms on the surface. */
  form?: FormPresses
  /** Requests without a valid signature, and requests that were signed too long ago, by name. */
  forged?(press: Press): Promise<Readonly<Record<string, Request>>> | Readonly<Record<string, Request>>
  stop?(): Promise<void>
}

/** The capabilities of a surface that the suite must know. */
export interface SurfaceTraits {
  make(options: { now: () => number }): Promise<SurfaceWorld> | SurfaceWorld
  /**
   * How often a user can get the same message when a process dies between sending it and storing its reference: 1 if the
   * surface finds the message again, or the provider recognizes its id; otherwise 2.
   */
  sendsAfterCrash: 1 | 2
  /**
   * Whether the provider can ask to wait for a time.
   *
   * @default true
   */
  retryAfter?: boolean
}
