import { cursorAt } from '@holdpoint/core/wire'
import { engineOf } from '../../../src/http/mounted.ts'
import { ADA, type Asked, type AskedWorld, filledIn, type Seen, yes } from './asked-world.ts'

/** The state before the bad input: an open approval and an open form, and a question of another user. */
export interface Standing {
  world: AskedWorld
  approval: Asked
  form: Asked
  hers: Asked
}

export interface BadInput {
  /** Of a message: why, or what to do about it. Resets have no words. */
  says?: RegExp
  /** Prepares the case. */
  before?(standing: Standing): Promise<unknown>
  /** Everything that the row names; each is answered alike. */
  sends(standing: Standing): Promise<Seen>[]
}

const OPEN = 3
/** The options of the server in these cases: small limits that are reached soon. */
export const badInputOptions = { limits: { openQuestions: OPEN }, http: { bodyTimeoutMs: 300 } }

const resumes = ({ world }: Standing, cursor: string) => [
  world.fetch(`/sessions/s1/events?wait=0&cursor=${encodeURIComponent(cursor)}`),
  world.fetch('/sessions/s1/events?wait=0', { headers: { 'last-event-id': cursor } }),
]

/** One for each row of "Bad input" in PROTOCOL.md, under the row's own words. */
export const badInput: Record<string, BadInput> = {
  'message to an unknown session': {
    says: /not have started yet/,
    sends: ({ world, approval }) => [
      world.send({ type: 'hello', clientId: 'tab-1' }, { session: 'nobodys' }),
      world.send(yes(approval), { session: 'nobodys' }),
    ],
  },
  'message to a session of another user': {
    says: /not have started yet/,
    sends: ({ world, hers }) => [
      world.send({ type: 'hello', clientId: 'tab-1' }, { session: 'hers' }),
      world.send(yes(hers), { session: 'hers' }),
    ],
  },
  'unknown interaction': {
    says: /read a snapshot/,
    sends: ({ world, approval, hers }) => [
      world.send({ ...yes(approval), interactionId: 'nobody' }),
      world.send({ ...yes(approval), callId: 'another-call' }),
      world.send(yes(hers)),
    ],
  },
  'an action of another kind of question': {
    says: /forms submit, decline or cancel/,
    sends: ({ world, approval, form }) => [
      world.send(filledIn(approval)),
      world.send({ ...yes(form), input: { email: 'ada@example.com' } }),
    ],
  },
  'scope not offered': {
    says: /approvalScopes/,
    sends: ({ world, approval }) => [world.send({ ...yes(approval), approvalScope: 'always' })],
  },
  'fields that do not validate': {
    says: /fieldErrors.*still open/,
    sends: ({ world, form }) => [
      world.send(filledIn(form, { email: 'nowhere' })),
      world.send(filledIn(form, {})),
      world.send(filledIn(form, { email: 'ada@example.com', admin: true })),
    ],
  },
  'oversized message': {
    says: /262144 bytes.*smaller/,
    sends: ({ world, approval }) => [world.send({ ...yes(approval), more: 'y'.repeat(300_000) })],
  },
  'not UTF-8': { says: /Encode/, sends: ({ world }) => [world.send(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]))] },
  'not JSON': { says: /JSON\.stringify/, sends: ({ world }) => [world.send('{"type":'), world.send('')] },
  'JSON nested too deep': {
    says: /64 levels.*Flatten/,
    sends: ({ world }) => [world.send(`${'['.repeat(100)}${']'.repeat(100)}`)],
  },
  ['__proto__']: {
    says: /Rename that key/,
    sends: ({ world }) => [
      world.send('{"type":"hello","clientId":"c","__proto__":{"admin":true}}'),
      world.send('{"type":"hello","clientId":"c","a":[{"\\u005f_proto__":1}]}'),
    ],
  },
  'CR or LF in an id, number out of range, wrong shape': {
    says: /malformed at|number at input.email/,
    sends: ({ world, approval, form }) => [
      world.send({ ...yes(approval), answerId: 'a\r\nid: 1' }),
      world.send({ ...yes(approval), interactionId: 'a\nb' }),
      world.send({ ...yes(approval), answerId: 'a'.repeat(300) }),
      world.send(JSON.stringify(filledIn(form, { email: 0 })).replace(':0}', ':1e400}')),
      world.send({ ...yes(approval), action: 'explode' }),
      world.send({ ...yes(approval), answerId: undefined }),
      world.send('null'),
      world.send({ type: 'user_actions', clientId: 'tab-1', actions: [] }),
    ],
  },
  'unknown message type': {
    says: /of this type.*as new as the client/,
    sends: ({ world }) => [world.send({ type: 'format_disk', clientId: 'tab-1' })],
  },
  'wrong content type': {
    says: /application\/json.*Content-Type/,
    sends: ({ world, approval }) =>
      ['text/plain', 'application/x-www-form-urlencoded'].map((type) =>
        world.send(yes(approval), { headers: { 'content-type': type } }),
      ),
  },
  'body too slow': { says: /0\.3 seconds.*again/, sends: ({ world }) => [world.sendSlowly('{"type":')] },
  'too many open questions': {
    says: /Wait for answers/,
    before: ({ world }) => world.asks('approval'),
    sends: ({ world }) => [world.send({}, { path: '/ask/one-more' })],
  },
  'old cursor, trimmed': {
    async before({ world: { holdpoint } }) {
      const { store } = engineOf(holdpoint)
      const partition = engineOf(holdpoint).partition({ tenant: '', sessionId: 's1', userId: ADA.userId })
      const { head } = await store.readLog(partition, { from: 1, limit: 1 })
      await store.trim(partition, head)
    },
    sends: (standing) => [standing.world.fetch('/sessions/s1/events?wait=0')],
  },
  'cursor of another epoch': {
    sends: (standing) => resumes(standing, cursorAt('another', { seq: 1, json: '{}' })),
  },
  'cursor beyond the end': {
    sends: ({ world }) => [
      world
        .snapshot()
        .then(({ cursor }) =>
          world.fetch(`/sessions/s1/events?wait=0&cursor=${cursor.replace(/\.\d+\./, '.999999.')}`),
        ),
    ],
  },
  'unreadable cursor': {
    sends: (standing) => [...resumes(standing, 'nonsense'), ...resumes(standing, '1.1e3.0')],
  },
  'unreadable page cursor of the inbox': {
    says: /Begin again without/,
    sends: ({ world }) =>
      ['nonsense', '-1', '"', 'a b'].flatMap((next) =>
        ['', 'state=settled&'].map((state) => world.fetch(`/inbox?${state}next=${encodeURIComponent(next)}`)),
      ),
  },
}
