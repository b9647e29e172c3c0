/** The reason why a package may be a dependency of ours. A dependency without a reason is an error. */
export interface Reason {
  /** Names, or a scope as `@scope/*`. */
  names: readonly string[]
  does: string
  without: string
}

export const reasons: readonly Reason[] = [
  {
    names: ['@holdpoint/core'],
    does: 'The protocol, the state machine, the client and the forms, which server and page share.',
    without: 'It is our own package.',
  },
  {
    names: ['zod'],
    does: 'Validates untrusted input: messages, forms and tool inputs. The types of the protocol come from its schemas. Only servers and tests load it: no browser entry contains its code, although npm installs it with core.',
    without:
      'A schema language with type inference. The hand-written guards for browsers (`core/wire`) show its size for one protocol: 300 lines, without the schemas of apps.',
  },
  {
    names: ['eventsource-parser'],
    does: 'Divides a text stream into server-sent events, however the network has cut it.',
    without: 'About 150 lines, and the fuzzing that found a quadratic case in its own older versions.',
  },
  {
    names: ['jose'],
    does: 'Signs and verifies our session tokens and the tokens of webhooks (JWT, HS256).',
    without:
      'JWS over WebCrypto with all checks that are easy to forget: algorithm, audience, clock, several keys. We do not write cryptography that a reviewed library has.',
  },
  {
    names: ['oauth4webapi'],
    does: 'The client side of OAuth 2.1: PKCE, discovery, issuer check, device flow, refresh.',
    without: 'About 1,000 lines of protocol code without the certification of this library.',
  },
  {
    names: ['@tanstack/react-virtual', '@tanstack/virtual-core'],
    does: 'Renders only the visible rows of the inbox, and measures their heights. An app that does not import `Inbox` does not load it.',
    without: 'About 150 lines that measure rows, keep the scroll position when heights change, and follow resizes.',
  },
  {
    names: ['radix-ui', '@radix-ui/*'],
    does: 'Dialog is the larger view of a card: it keeps the focus inside, hides the rest of the page, and closes on Escape, also next to Radix dialogs of the app. Slot (`asChild`) replaces our button with one of the app. Both are imported by sub-path, so that no other part of Radix is in a bundle.',
    without:
      'About 60 lines for Slot, and about 400 for a dialog that cooperates with other dialogs on the page. npm installs all of Radix with it.',
  },
  {
    names: [
      ...['aria-hidden', 'react-remove-scroll', 'react-remove-scroll-bar', 'react-style-singleton', 'tslib'],
      ...['@floating-ui/*', 'detect-node-es', 'get-nonce', 'use-callback-ref', 'use-sidecar'],
    ],
    does: 'Dependencies of Radix. Of these, only `aria-hidden` is in a bundle: it hides the page behind the larger view.',
    without: 'Nothing: Radix chooses them.',
  },
]

/** Licenses that allow shipping the code in any product. */
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
