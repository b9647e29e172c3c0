import { type Chapter, line } from '../line.ts'

/** Attacks on connected accounts: the broker, session tokens, and the token manager of the client. */
export const accounts: Chapter = {
  title: 'Accounts and tokens',
  lines: [
    line(
      'B1',
      'a code is intercepted; a state is guessed or reused',
      'PKCE S256 with a fresh verifier; state is random, single use, valid for ten minutes, and bound to the user who began',
      3,
    ),
    line(
      'B2',
      'an attacker who knows the state polls for the tokens',
      'polling needs the secret that only the client that began the flow received',
      1,
    ),
    line(
      'B3',
      'the person is redirected to a foreign site after the authorization',
      '`returnTo` must lead to an allowed origin; the issuer is checked',
      2,
    ),
    line('B4', 'another signed-in user finishes the flow', 'the request is rejected and recorded', 1),
    line(
      'B5',
      'the page after the authorization is cached or framed',
      'no-store, no-referrer, no frames; the address is cleaned',
      1,
    ),
    line(
      'B6',
      'a client polls without end',
      '`slow_down` adds five seconds permanently; polling stops on denial and on expiry',
      2,
    ),
    line(
      'B7',
      'a token appears in a browser, a log, an error or a copy of the database',
      'AES-256-GCM with key ids, bound to user and integration',
      4,
    ),
    line(
      'B8',
      'an attacker begins a flow and tricks another person into finishing it',
      'a loopback redirect for terminals, otherwise a page that needs a click; confirmation tokens have 256 bits',
      3,
    ),
    line(
      'B9',
      'opening a browser runs a shell command',
      'one program, the address as one argument; https or loopback only',
      1,
    ),
    line(
      'B10',
      'one program begins so many flows that no other program can connect',
      'only valid requests count; each session and each address has its own limit',
      2,
    ),
    line(
      'J1',
      'a token is forged: alg none, another algorithm, no expiry, an expiry in ten years, a one-byte secret',
      'HS256 is fixed; every claim is required; secrets have at least 32 bytes',
      3,
    ),
    line(
      'J2',
      'a refresh token is stolen and used',
      'refresh tokens rotate; a late use of a parent ends the family, a lost response does not',
      3,
    ),
    line(
      'J3',
      'a webhook is forged or old',
      "a ten-minute token signed with the session's own secret, and a signed body",
      3,
    ),
    line('Ma', 'many calls at expiry cause many refreshes', 'one shared promise for each account', 1),
    line(
      'Mb',
      'processes and tabs refresh at the same time, and the service revokes the family',
      'one lock covers reading, deciding and writing',
      2,
    ),
    line(
      'Mc',
      'a process refreshes a token that another process has just refreshed',
      'after waiting for the lock it adopts the stored token',
      1,
    ),
    line(
      'Md',
      'a refresh that lost a race signs the user out',
      'the token manager reads the store again and adopts the newer token before it gives up',
      1,
    ),
    line(
      'Me',
      'a refresh restores the tokens of a user who signed out',
      'compare-and-set on a version; signing out wins',
      2,
    ),
    line(
      'Mf',
      'an early refresh that fails signs the user out',
      'the live token is kept, and the next refresh waits for a cooldown',
      1,
    ),
    line('Mg', 'a 401 loops, or a body is sent twice', 'one retry, only for bodies that can be sent again', 2),
    line(
      'Mh',
      'a machine sleeps past the expiry; all clients refresh at the same time',
      'expiry is checked by the clock instead of a timer; refreshes have jitter',
      2,
    ),
    line(
      'F1',
      'other users of the machine read the token file',
      'folder mode 0700, file mode 0600 from its first byte, links rejected',
      3,
    ),
  ],
}
