import { type Chapter, line } from '../line.ts'

/** Attacks through browsers, sockets and proxies. */
export const network: Chapter = {
  title: 'Browsers, sockets and proxies',
  lines: [
    line(
      'N1',
      'a signed-in WebSocket client floods the server with frames and reads no responses',
      'the server stops reading while responses are unread; frames in flight are limited; every frame counts against the rate limit before it is parsed',
      4,
    ),
    line(
      'N2',
      'a line typed for one question answers the next one in a terminal',
      'the terminal discards typed input when a question appears or disappears; a yes counts from half a second after the prompt',
      3,
    ),
    line(
      'N3',
      'text from outside hides or reorders characters in a terminal or on the consent page',
      'invisible characters are shown as escapes; a name that a program gives itself is marked as unverified',
      2,
    ),
    line(
      'N4',
      'a user who signed out approves over a connection that is still open',
      "messages that decide something check the principal again after two seconds, also after a slow body; `revoke()` ends the user's streams on all nodes",
      3,
    ),
    line(
      'N5',
      'connecting an account redirects the user to a foreign page',
      'one list of allowed origins for requests, uploads, sockets and return addresses',
      3,
    ),
    line(
      'N6',
      "a page uses DNS rebinding to reach a server on a developer's machine",
      "without `allowedHosts`, a development server accepts only localhost and IP addresses; a production server logs a warning; `devUser()` checks the socket's address",
      3,
    ),
    line(
      'N7',
      'a malicious service obtains the authorization code of an honest one (mix-up)',
      'each service has its own redirect URI, which must match the flow',
      1,
    ),
    line(
      'N8',
      "an image on another site counts as the visitor's presence, or reveals whether a session exists",
      'cross-site requests without an Origin are rejected; responses carry Cross-Origin-Resource-Policy',
      1,
    ),
    line(
      'N9',
      "a request walks around a proxy's rule for a route with a path that only ends like the route",
      'with `http.mountPath`, only paths directly below it are routes; without it, a production server logs a warning',
      2,
    ),
    line(
      'N10',
      'a user who may only read replaces the presence of another client by sending its id',
      'a client id belongs to the user who sent it first, as long as that client is present',
      1,
    ),
  ],
}
