import { type Chapter, line } from '../line.ts'

/** What reaches the server from browsers, sockets and proxies. */
export const network: Chapter = {
  title: 'Browsers, sockets and proxies',
  lines: [
    line(
      'N1',
      'a logged-in WebSocket floods the server with frames and reads no reply',
      'the server stops reading while replies wait; frames in flight are capped; every frame counts against the rate limit before it is parsed',
      'reads nothing is not read from',
      'frames of one WebSocket in flight are capped',
      'unreadable frames count against the rate limit',
      'a client that reads its replies late is read from again',
    ),
    line(
      'N2',
      'a line that was typed for one question answers the next one in a terminal',
      'a terminal forgets what was typed when a question appears or goes away; a yes counts half a second after the prompt appeared',
      'what was typed for a withdrawn question answers no other',
      'a yes that is typed twice answers one question',
    ),
    line(
      'N3',
      'text of a stranger hides or turns itself in a terminal or on the consent page',
      'invisible characters are shown as escapes; the name that a program gives itself is marked as its claim',
      'no character that is shown as nothing passes',
      'the name that a program gives itself is marked as its own claim',
    ),
    line(
      'N4',
      'a user who signed out approves over a connection that is still open',
      'messages that decide check the principal again after two seconds; `revoke()` ends the streams of all nodes',
      'a user who signed out decides nothing over a WebSocket that is still open',
      'a revoked user loses the streams of every node that shares the store',
    ),
    line(
      'N5',
      'a connected account sends its user to a page of somebody else',
      'one list of allowed origins for requests, uploads, sockets and return addresses',
      'a returnTo elsewhere is refused by its own code',
      'a page of another allowed origin connects an account and gets the person back',
      'a page behind a proxy that rewrites Host connects an account and gets the person back',
    ),
    line(
      'N6',
      'a page under a name of its own reaches a server on a developer’s machine (DNS rebinding)',
      'without `allowedHosts` only localhost and addresses are answered outside of production; production warns; `devUser()` looks at the socket’s address',
      'only localhost and addresses are answered',
      'in production every Host is answered, and the log says once how to change that',
      'devUser() refuses another machine that sends a localhost Host',
    ),
    line(
      'N7',
      'a malicious service gets the authorization code of an honest one (mix-up)',
      'each service has a redirect URI of its own, which must be that of the flow',
      'the answer of one service in the flow of another is refused',
    ),
    line(
      'N8',
      'an image on another site counts as its visitor being present, or shows whether a session exists',
      'cross-site loads without an Origin are refused; answers carry Cross-Origin-Resource-Policy',
      'an image or script of another site loads nothing and makes nobody present',
    ),
  ],
}
