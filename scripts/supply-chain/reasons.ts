/** Why something may be in what we publish. A dependency that none of these names is an error. */
export interface Reason {
  /** Names, or a scope as `@scope/*`. */
  names: readonly string[]
  does: string
  without: string
}

export const reasons: readonly Reason[] = [
  {
    names: ['@holdpoint/core'],
    does: 'Protocol, state machine, client, forms: what both ends share.',
    without: 'It is ours.',
  },
  {
    names: ['zod'],
    does: 'Reads what strangers send: messages, forms, tool inputs; the types of the protocol are made from its schemas. Servers and tests only: no browser entry holds its code, though npm installs it with core.',
    without:
      'A schema language with type inference. The hand-written guards that browsers read with (`core/wire`) show the size of it for one protocol: 300 lines, and none of an app’s own schemas.',
  },
  {
    names: ['eventsource-parser'],
    does: 'Takes a text stream apart into server-sent events, wherever it was cut.',
    without: 'About 150 lines, and the fuzzing that found a quadratic case in its own older versions.',
  },
  {
    names: ['jose'],
    does: 'Signs and checks our session tokens and the tokens of webhooks (JWT, HS256).',
    without:
      'JWS over WebCrypto with all the checks that people forget: algorithm, audience, clock, several keys. Cryptography is not written twice.',
  },
  {
    names: ['oauth4webapi'],
    does: 'OAuth 2.1 towards services: PKCE, discovery, issuer check, device flow, refresh.',
    without: 'Some 1,000 lines of protocol, and the certification that this one has.',
  },
  {
    names: ['@radix-ui/*'],
    does: 'Slot (`asChild`): an app’s own button takes the place of ours, with both sides’ handlers, classes and refs. FocusScope: keeps the focus inside of the larger view of a card, also beside dialogs of the app that are made with Radix. The others are what these two are made of.',
    without:
      'Some 60 lines for Slot, and about 200 for a focus trap that knows other traps above and below it. `radix-ui`, which names all of Radix, would be 70 packages more for the same two.',
  },
]

/** Licences that anybody may ship in a product without asking. */
export const allowedLicences: ReadonlySet<string> = new Set([
  'MIT',
  '0BSD',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
])

export const reasonOf = (name: string): Reason | undefined =>
  reasons.find(({ names }) => names.includes(name)) ??
  reasons.find(({ names }) => names.includes(`${name.split('/')[0]}/*`))
