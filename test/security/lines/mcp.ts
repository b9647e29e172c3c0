import { type Chapter, line } from '../line.ts'

/** Attacks by MCP clients on the tools of a server, and by MCP servers on the users of a host. */
export const mcp: Chapter = {
  title: 'MCP clients and servers',
  lines: [
    line(
      'M1',
      'a client names another user in its arguments or its metadata',
      'the user is the one that the server authenticated; without one nothing is asked and nothing runs',
      1,
    ),
    line(
      'M2',
      'a `requestState` is forged, changed, or used by another user, for another tool or with other arguments',
      'the state is encrypted with authentication, bound to its user and tool, and has the digest of the arguments',
      4,
    ),
    line(
      'M3',
      'a `requestState` is replayed, or an answer is sent many times',
      'the store accepts one answer, and a replay returns the recorded result',
      2,
    ),
    line(
      'M4',
      'a form of the client approves a dangerous call or collects a secret',
      "`risk: 'high'`, secrets and accounts are answered on a page; opening it approves nothing",
      2,
    ),
    line(
      'M5',
      'a foreign server imitates the app or another host, or opens a page by itself',
      'the card has the name from the configuration and the host in ASCII; only `https:` pages, after consent',
      4,
    ),
  ],
}
