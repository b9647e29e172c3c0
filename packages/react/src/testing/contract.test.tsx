import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { everyStory } from './checks/every-story.ts'
import { StoryFrame } from './story-frame.tsx'

/** Checks the documented states and parts against every story. */
const drawn = new Map(
  everyStory().map(([name, element]) => [name, renderToStaticMarkup(<StoryFrame>{element}</StoryFrame>)]),
)
const found = (html: string, what: RegExp) => [...html.matchAll(what)].map(([, value]) => value!)

/** By props alone: the stories have no client. */
const everyState = [
  'loading',
  'pending',
  'submitting',
  'not-sent',
  'answered-here',
  'answered-elsewhere',
  'expired',
  'cancelled',
  'superseded',
  'failed',
  'reprompted',
  'read-only',
  'may-not-answer',
  'disconnected',
  'signed-out',
]
/** Accounts are connected, not answered: nothing of theirs is on its way, refused, asked again or carried out. */
const ofAccounts = everyState.filter((state) => !/submitting|not-sent|failed|reprompted/.test(state))

test.each([
  ['ApprovalDialog', [...everyState, 'approved-still-running']],
  ['InputForm', everyState],
  ['AuthRequestCard', ofAccounts],
  ['Unknown kind', ['unknown-kind']],
])('%s: every state has a story', (component, states) => {
  const stories = [...drawn].filter(([name]) => name.startsWith(component)).map(([, html]) => html)
  const seen = stories.flatMap((html) => found(html, /<section[^>]* data-slot="card" data-state="([\w-]+)"/g))
  expect([...new Set(seen)].sort()).toEqual([...states].sort())
})

test('every rendered part has a name and a state, and is documented', () => {
  const anatomy = readFileSync(join(import.meta.dirname, '../docs/anatomy.mdx'), 'utf8')
  const parts = [...drawn.values()].flatMap((html) => found(html, /<\w+([^>]* data-slot="[^"]+"[^>]*)>/g))
  const named = [...new Set(parts.map((attributes) => /data-slot="([^"]+)"/.exec(attributes)![1]!))]
  const documented = found(anatomy, /`([a-z][a-z-]+)`/g)
  expect(named.filter((slot) => !documented.includes(slot))).toEqual([])
  // An element inside of a part, which has a name for tests, has no state of its own.
  const inside =
    /class="hp-on-demand"|data-slot="(?:live|inbox.*|review-all|approve-all|hide-settled|argument|fact|readable|reason-input|instead-input|argument-.*|diff-.*|values|input|select|radio|checkbox|file)"/
  expect(parts.filter((attributes) => !/data-state="/.test(attributes) && !inside.test(attributes))).toEqual([])
})
