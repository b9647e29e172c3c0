import { importsOf, sourceFiles, target } from './graph.ts'

/** What each room is for. A room that is not here, and a line here without its room, turn the test red. */
export const ROOMS: Record<string, string> = {
  'core/protocol': 'schemas of events, messages, frames, errors and limits; zod, so for servers and tests',
  'core/wire': 'cursor, codecs, and the small guards that a browser reads with',
  'core/machine': 'what a session is after its events: pure',
  'core/client': 'runs the machine: connecting, resuming, answering',
  'core/transport': 'the port, and its drivers: SSE, long poll, WebSocket, MessagePort, memory',
  'core/forms': 'fields, JSON Schema, zod; one validator for both ends',
  'core/auth': 'connecting an account from a page; AUTH_REQUIRED',
  'core/tokens': 'the token manager and its stores',
  'core/connections': 'the client of the connections protocol',
  'core/node': 'files, terminal, sandbox bridge',
  'react/hooks': 'React’s view of the client',
  'react/card': 'what every card shares: states, arrival, the larger view',
  'react/approval-dialog': 'yes or no, with arguments, scopes and diffs',
  'react/input-form': 'forms',
  'react/auth-request-card': 'accounts to connect',
  'react/interaction-view': 'picks the card for a question',
  'react/inbox': 'questions of all sessions',
  'react/field': 'one control for each type of field',
  'react/announce': 'what is read aloud',
  'react/messages': 'every sentence, in English',
  'react/locales': 'the same sentences in other languages',
  'react/shared': 'arming, escaping, texts',
  'react/ai-sdk': 'cards in their place in a useChat conversation',
  'server/engine': 'calls, questions, claims, outcomes, deadlines, recovery, outbox',
  'server/store': 'the port, and its four drivers',
  'server/http': 'Request in, Response out: streams, messages, inbox',
  'server/channels': 'WebSocket, lines of JSON, MessagePort, the same process',
  'server/frameworks': 'Next, Express, Fastify, Hono, node:http: thin shells over http',
  'server/accounts': 'the port to whoever holds accounts',
  'server/connections': 'our broker behind that port',
  'server/auth': 'vault, session tokens, outbound requests',
  'server/webhooks': 'sending and receiving them',
  'server/tools': 'policies, user actions, confirmations, history',
  'server/remote': 'agents on another server, both ends',
  'server/bridges': 'other frameworks’ shapes',
  'server/testing': 'a person, a clock and a broken store, for tests',
  'server/otel': 'traces and figures for OpenTelemetry',
}

/** `server/http` of `packages/server/src/http/routes.ts`; null for what lies at a package’s door. */
export function roomOf(file: string): string | null {
  const [, name, room] = /^packages\/(core|react|server)\/src\/([^/.]+)(?:\/|\.tsx?$)/.exec(file) ?? []
  return name && room && file.includes(`/src/${room}/`) ? `${name}/${room}` : null
}

/** Which rooms each room imports from, types included. */
export function roomGraph(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const file of sourceFiles().filter(
    (one) => !/\/(testing|docs|examples|styles)\//.test(one) || /server\/src\/testing/.test(one),
  )) {
    const room = roomOf(file)
    if (!room) continue
    const uses = graph.get(room) ?? new Set()
    graph.set(room, uses)
    for (const imported of importsOf(file)) {
      const next = roomOf(target(imported) ?? '')
      if (next && next !== room) uses.add(next)
    }
  }
  return graph
}

/** The diagram in CONTRIBUTING.md. */
export function roomsTable(graph = roomGraph()): string {
  const rows = Object.entries(ROOMS)
    .filter(([room]) => graph.has(room))
    .map(([room, what]) => `| \`${room}\` | ${what} | ${[...(graph.get(room) ?? [])].sort().join(', ')} |`)
  return ['| room | what lives there | knows |', '|---|---|---|', ...rows].join('\n')
}
