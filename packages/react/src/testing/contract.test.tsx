import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { everyStory } from './every-story.ts'
import { StoryFrame } from './story-frame.tsx'

/** What is promised of states and parts, held against every story and the page that documents it. */
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
])('%s: every state is a story', (component, states) => {
  const stories = [...drawn].filter(([name]) => name.startsWith(component)).map(([, html]) => html)
  const seen = stories.flatMap((html) => found(html, /<section[^>]* data-slot="card" data-state="([\w-]+)"/g))
  expect([...new Set(seen)].sort()).toEqual([...states].sort())
})

test('every part that is drawn says its name and its state, and is documented', () => {
  const anatomy = readFileSync(join(import.meta.dirname, '../docs/anatomy.mdx'), 'utf8')
  const parts = [...drawn.values()].flatMap((html) => found(html, /<\w+([^>]* data-slot="[^"]+"[^>]*)>/g))
  const named = [...new Set(parts.map((attributes) => /data-slot="([^"]+)"/.exec(attributes)![1]!))]
  const documented = found(anatomy, /`([a-z][a-z-]+)`/g)
  expect(named.filter((slot) => !documented.includes(slot))).toEqual([])
  // What stands inside of a part, and is named to be found, has no state of its own.
  const inside =
    /data-slot="(?:live|argument|fact|readable|reason-input|argument-.*|diff-.*|values|input|select|radio|checkbox|file)"/
  expect(parts.filter((attributes) => !/data-state="/.test(attributes) && !inside.test(attributes))).toEqual([])
})
